package trace

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/internal/manifest"
)

func TestReadTakesJobsInOrderOfSubmission(t *testing.T) {
	got, mistakes := Read(strings.NewReader("job_id,extra,num_gpu,duration,submit_time\nb,x,16,2000,60000\na,x,1,1000,0\nc,x,4,1,60000\n"))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	want := []Job{
		{ID: "a", GPUs: 1, Submitted: 0, Runs: time.Second},
		{ID: "b", GPUs: 16, Submitted: time.Minute, Runs: 2 * time.Second},
		{ID: "c", GPUs: 4, Submitted: time.Minute, Runs: time.Millisecond},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("jobs (-want +got):\n%s", diff)
	}
}

func TestReadTellsMistakesByLine(t *testing.T) {
	const header = "job_id,num_gpu,submit_time,duration\n"
	tests := map[string]struct {
		text string
		want manifest.Mistakes
	}{
		"nothing":       {"", manifest.Mistakes{{Line: 1, Message: "no header line: EOF"}}},
		"no job":        {header, manifest.Mistakes{{Line: 1, Message: "no job"}}},
		"other columns": {"job_id,gpus\n", manifest.Mistakes{{Line: 1, Message: "no column num_gpu"}, {Line: 1, Message: "no column submit_time"}, {Line: 1, Message: "no column duration"}}},
		"wrong numbers": {header + "a,0,-1,x\nb,1,0,1\nc,1.5,0,1\n", manifest.Mistakes{
			{Line: 2, Path: "num_gpu", Message: `got "0", want a whole number from 1 to 1048576`},
			{Line: 2, Path: "submit_time", Message: `got "-1", want a whole number from 0 to 2522880000000`},
			{Line: 2, Path: "duration", Message: `got "x", want a whole number from 1 to 2522880000000`},
			{Line: 4, Path: "num_gpu", Message: `got "1.5", want a whole number from 1 to 1048576`},
		}},
		"a short line": {header + "a,1,0\nb,1,0,1\n", manifest.Mistakes{{Line: 2, Message: "wrong number of fields"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			jobs, got := Read(strings.NewReader(test.text))
			if jobs != nil {
				t.Errorf("got jobs %v, want none", jobs)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("mistakes (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add("job_id,num_gpu,submit_time,duration\na,1,0,1000\n")
	f.Add("job_id,num_gpu,submit_time,duration\na,1e300,NaN,\"1\n")
	f.Fuzz(func(t *testing.T, text string) {
		jobs, mistakes := Read(strings.NewReader(text))
		if (len(jobs) == 0) == (len(mistakes) == 0) {
			t.Errorf("got %d jobs and mistakes %v, want one of them", len(jobs), mistakes)
		}
		for _, j := range jobs {
			if j.GPUs < 1 || j.Runs <= 0 || j.Submitted < 0 {
				t.Errorf("got %+v", j)
			}
		}
	})
}
