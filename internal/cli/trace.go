package cli

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/simulate"
	"github.com/berth-dev/berth/internal/simulate/trace"
)

// traceOptions are the flags of a trace.
type traceOptions struct {
	file     string
	policies []string
	nodes    int
	seeds    int
	trace.Options
}

func (o *traceOptions) addFlags(cmd *cobra.Command) {
	o.Options = trace.Defaults()
	f := cmd.Flags()
	f.StringVar(&o.file, "trace", "", "a CSV file of jobs to play, with job_id, num_gpu, submit_time and duration (milliseconds)")
	f.StringSliceVar(&o.policies, "policy", []string{"berth"}, "with --trace: who decides, of "+strings.Join(trace.Policies, ", ")+"; several are compared")
	f.IntVar(&o.nodes, "nodes", 64, "with --trace and without -f: how many nodes of eight GPUs there are, eight a rack, four racks a spine")
	f.IntVar(&o.seeds, "seeds", 1, "with --trace: how many seeds to play and take the mean of, counted from --seed")
	f.Uint64Var(&o.Seed, "seed", o.Seed, "with --trace: settles what is left to chance")
	f.IntVar(&o.Jobs, "jobs", o.Jobs, "with --trace: take only so many jobs, the first ones; 0 takes all")
	f.Float64Var(&o.Load, "load", o.Load, "with --trace: what the jobs ask for, as a share of the cluster; 0 keeps their times")
	f.Float64Var(&o.Production, "production", o.Production, "with --trace: the share of jobs of tier Production")
	f.Float64Var(&o.Interactive, "interactive", o.Interactive, "with --trace: the share of jobs of tier Interactive")
	f.StringVar(&o.Required, "required", o.Required, "with --trace: the level of which one domain must hold each job of several nodes")
	f.DurationVar(&o.CheckpointEvery, "checkpoint-every", o.CheckpointEvery, "with --trace: after how much running time a job saves its work; 0 never")
	f.DurationVar(&o.Save, "checkpoint-save", o.Save, "with --trace: how long a job takes to save its work when it is told to leave")
	f.Float64Var(&o.Estimate, "estimate", o.Estimate, "with --trace: a job's maxRuntime, as a multiple of its duration; 0 gives none")
	_ = cmd.MarkFlagFilename("trace", "csv")
	_ = cmd.RegisterFlagCompletionFunc("policy", cobra.FixedCompletions(trace.Policies, cobra.ShellCompDirectiveNoFileComp))
}

func (o *traceOptions) run(cmd *cobra.Command, s *simulateOptions) error {
	for _, p := range o.policies {
		if !trace.Known(p) {
			return fmt.Errorf("--policy: got %q, want one of %s", p, strings.Join(trace.Policies, ", "))
		}
	}
	if o.seeds < 1 || len(o.policies) == 0 {
		return errors.New("--seeds: want at least 1, and --policy at least one policy")
	}
	jobs, err := o.jobs(cmd)
	if err != nil {
		return err
	}
	cluster, template, err := o.cluster(cmd, s.file)
	if err != nil {
		return err
	}
	comparison := &trace.Comparison{}
	for _, policy := range o.policies {
		var reports []*simulate.Report
		for k := range o.seeds {
			options := o.Options
			options.Seed += uint64(k)
			in, err := trace.Build(cluster, template, jobs, options)
			if err != nil {
				return err
			}
			report, err := o.play(cmd, s, in, policy, options.Seed)
			if err != nil {
				return err
			}
			if len(o.policies) == 1 && o.seeds == 1 {
				return s.finish(cmd, report)
			}
			comparison.Jobs, reports = in.Description, append(reports, report)
		}
		comparison.Policies = append(comparison.Policies, trace.Mean(policy, reports))
	}
	if err := comparison.Write(cmd.OutOrStdout(), s.output); err != nil {
		return err
	}
	if !comparison.Holds() {
		return &ExitError{Status: 1}
	}
	return nil
}

func (o *traceOptions) play(cmd *cobra.Command, s *simulateOptions, in *simulate.Input, policy string, seed uint64) (*simulate.Report, error) {
	scheduler, err := trace.Scheduler(policy, seed)
	if err != nil {
		return nil, err
	}
	progress := newProgress(cmd.ErrOrStderr(), fmt.Sprintf("%s, seed %d", policy, seed))
	options := s.options(cmd)
	options.Scheduler, options.Blind = scheduler, scheduler != nil
	options.Progress, options.Gantt = progress.tell, s.output == "html"
	report := simulate.Run(in, options)
	progress.done()
	report.Policy, report.Brief = policy, true
	return report, nil
}

func (o *traceOptions) jobs(cmd *cobra.Command) ([]trace.Job, error) {
	data, err := readFile(cmd, o.file)
	if err != nil {
		return nil, err
	}
	jobs, mistakes := trace.Read(bytes.NewReader(data))
	return jobs, refuse(cmd, o.file, "trace", mistakes)
}

func (o *traceOptions) cluster(cmd *cobra.Command, file string) (*simulate.Input, *v1alpha1.GangJob, error) {
	if file == "" {
		if o.nodes < 1 {
			return nil, nil, fmt.Errorf("--nodes: got %d, want 1 or more", o.nodes)
		}
		in, err := trace.Cluster(o.nodes)
		return in, nil, err
	}
	data, err := readFile(cmd, file)
	if err != nil {
		return nil, nil, err
	}
	in, template, mistakes := simulate.ReadCluster(data)
	return in, template, refuse(cmd, file, "cluster", mistakes)
}

// strayFlags names the flags that are given and go with --trace only.
func strayFlags(cmd *cobra.Command) []string {
	var out []string
	for _, name := range []string{
		"policy", "nodes", "seeds", "seed", "jobs", "load", "production", "interactive", "required", "checkpoint-every", "checkpoint-save",
		"estimate",
	} {
		if cmd.Flags().Changed(name) {
			out = append(out, "--"+name)
		}
	}
	return slices.Clip(out)
}
