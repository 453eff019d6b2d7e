package trace

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/berth-dev/berth/internal/manifest"
)

// Job is one line of a trace.
type Job struct {
	ID string
	// GPUs is how many accelerators it asks for.
	GPUs int64
	// Submitted is when it came, from the first job on; Runs is how long it ran undisturbed.
	Submitted, Runs time.Duration
}

// maxMistakes is after how many mistakes the rest of a trace is not read: it is no trace.
const maxMistakes = 20

// columns are those that a trace must have.
var columns = []string{"job_id", "num_gpu", "submit_time", "duration"}

// Read reads a CSV file with a header line. Of its columns job_id, num_gpu, submit_time and duration count, the times in
// milliseconds. Jobs come back in order of submission. Everything wrong is told with its line.
func Read(in io.Reader) ([]Job, manifest.Mistakes) {
	r := csv.NewReader(in)
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		return nil, manifest.Mistakes{{Line: 1, Message: fmt.Sprintf("no header line: %s", err)}}
	}
	at := make([]int, len(columns))
	var mistakes manifest.Mistakes
	for i, name := range columns {
		if at[i] = slices.Index(header, name); at[i] < 0 {
			mistakes = append(mistakes, manifest.Mistake{Line: 1, Message: "no column " + name})
		}
	}
	if len(mistakes) > 0 {
		return nil, mistakes
	}
	var jobs []Job
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if parse, ok := errors.AsType[*csv.ParseError](err); ok {
			mistakes = append(mistakes, manifest.Mistake{Line: parse.Line, Message: parse.Err.Error()})
		} else if err != nil {
			return nil, append(mistakes, manifest.Mistake{Message: err.Error()})
		} else {
			line, _ := r.FieldPos(0)
			job, wrong := parseJob(record, at, line)
			jobs, mistakes = append(jobs, job), append(mistakes, wrong...)
		}
		if len(mistakes) >= maxMistakes {
			return nil, mistakes
		}
	}
	if len(jobs) == 0 && len(mistakes) == 0 {
		mistakes = manifest.Mistakes{{Line: 1, Message: "no job"}}
	}
	if len(mistakes) > 0 {
		return nil, mistakes
	}
	slices.SortStableFunc(jobs, func(a, b Job) int { return cmp.Compare(a.Submitted, b.Submitted) })
	return jobs, nil
}

// maxGPUs is far above what any job asks for.
const maxGPUs = 1 << 20

func parseJob(record []string, at []int, line int) (Job, manifest.Mistakes) {
	var mistakes manifest.Mistakes
	number := func(column int, least, most int64) int64 {
		n, err := strconv.ParseFloat(record[at[column]], 64)
		if err != nil || n != math.Trunc(n) || n < float64(least) || n > float64(most) {
			mistakes = append(mistakes, manifest.Mistake{
				Line: line, Path: columns[column],
				Message: fmt.Sprintf("got %q, want a whole number from %d to %d", record[at[column]], least, most),
			})
			return 0
		}
		return int64(n)
	}
	const milliseconds = 80 * 365 * 24 * int64(time.Hour/time.Millisecond) // more does not fit the clock twice
	job := Job{ID: record[at[0]], GPUs: number(1, 1, maxGPUs)}
	job.Submitted = time.Duration(number(2, 0, milliseconds)) * time.Millisecond
	job.Runs = time.Duration(number(3, 1, milliseconds)) * time.Millisecond
	return job, mistakes
}
