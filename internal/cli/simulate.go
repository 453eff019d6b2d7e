package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/internal/manifest"
	"github.com/berth-dev/berth/internal/simulate"
)

type simulateOptions struct {
	file   string
	output string
	events bool
	trace  traceOptions
}

func newSimulate() *cobra.Command {
	o := &simulateOptions{}
	cmd := &cobra.Command{
		Use:   "simulate (-f FILE | --trace CSV)",
		Short: "Play a scenario or a job trace on a virtual clock",
		Long: "Play a scenario on a virtual clock and check what it expects, or play the jobs of a trace.\n\n" +
			"A scenario is a YAML file of ordinary manifests and one document of kind Scenario with nodes, a timeline of events and\n" +
			"expectations. It runs the very engine that decides in the cluster, and needs none.\n\n" +
			"A trace is a CSV file of jobs. With it FILE is the cluster to play them on: a scenario without events and expectations, whose\n" +
			"GangJob, if it has one, is the template of all gangs. Several policies or seeds are compared in one table.\n\n" +
			"Exit status: 0 when every expectation holds, 1 when one does not, 2 when the file is not valid.",
		Example: "  kubectl berth simulate -f scenario.yaml\n  kubectl berth simulate -f scenario.yaml -o json --events\n" +
			"  kubectl berth simulate -f - < scenario.yaml\n  kubectl berth simulate --trace jobs.csv -o html > report.html\n" +
			"  kubectl berth simulate --trace jobs.csv --policy berth,first-fit,random,spread --load 1.1 --seeds 5",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	cmd.Flags().StringVarP(&o.file, "filename", "f", "", "the scenario; - reads standard input")
	cmd.Flags().StringVarP(&o.output, "output", "o", "table", "one of "+strings.Join(simulate.Formats, ", "))
	cmd.Flags().BoolVar(&o.events, "events", false, "tell everything that happens, in order")
	o.trace.addFlags(cmd)
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(simulate.Formats, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagFilename("filename", "yaml", "yml")
	return cmd
}

func (o *simulateOptions) run(cmd *cobra.Command) error {
	if !slices.Contains(simulate.Formats, o.output) {
		return fmt.Errorf("--output: got %q, want one of %s", o.output, strings.Join(simulate.Formats, ", "))
	}
	if o.trace.file != "" {
		return o.trace.run(cmd, o)
	}
	if stray := strayFlags(cmd); len(stray) > 0 {
		return fmt.Errorf("%s: go with --trace only", strings.Join(stray, ", "))
	}
	if o.file == "" {
		return errors.New("nothing to play; name a scenario with -f or a trace with --trace")
	}
	data, err := readFile(cmd, o.file)
	if err != nil {
		return err
	}
	in, mistakes := simulate.Read(data)
	if err := refuse(cmd, o.file, "scenario", mistakes); err != nil {
		return err
	}
	progress := newProgress(cmd.ErrOrStderr(), in.Name)
	options := o.options(cmd)
	options.Progress, options.Gantt = progress.tell, o.output == "html"
	report := simulate.Run(in, options)
	progress.done()
	return o.finish(cmd, report)
}

// options are those that scenarios and traces have in common.
func (o *simulateOptions) options(cmd *cobra.Command) simulate.Options {
	options := simulate.Options{Events: o.events && o.output != "table"}
	if o.events && o.output == "table" {
		options.Live = cmd.OutOrStdout()
	}
	return options
}

// finish writes a report and says by the status whether everything held.
func (o *simulateOptions) finish(cmd *cobra.Command, report *simulate.Report) error {
	if o.events && o.output == "table" {
		fmt.Fprintln(cmd.OutOrStdout())
	}
	if err := report.Write(cmd.OutOrStdout(), o.output); err != nil {
		return err
	}
	if report.Holds() {
		return nil
	}
	if o.output != "table" {
		for _, f := range report.Failures {
			fmt.Fprintln(cmd.ErrOrStderr(), f)
		}
	}
	return &ExitError{Status: 1}
}

// refuse prints what is wrong with a file, and returns an error if anything is.
func refuse(cmd *cobra.Command, file, what string, mistakes manifest.Mistakes) error {
	if len(mistakes) == 0 {
		return nil
	}
	for _, m := range mistakes {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s:%s\n", file, strings.TrimPrefix(m.String(), "line "))
	}
	return &ExitError{Status: 2, Message: fmt.Sprintf("%s is not a valid %s", file, what)}
}

func readFile(cmd *cobra.Command, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(cmd.InOrStdin())
	}
	return os.ReadFile(name)
}
