package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/internal/simulate"
)

type simulateOptions struct {
	file   string
	output string
	events bool
}

func newSimulate() *cobra.Command {
	o := &simulateOptions{}
	cmd := &cobra.Command{
		Use:   "simulate -f FILE",
		Short: "Play a scenario on a virtual clock and check what it expects",
		Long: "Play a scenario on a virtual clock and check what it expects.\n\n" +
			"A scenario is a YAML file of ordinary manifests and one document of kind Scenario with nodes, a timeline of events and\n" +
			"expectations. It runs the very engine that decides in the cluster, and needs none.\n\n" +
			"Exit status: 0 when every expectation holds, 1 when one does not, 2 when the file is not valid.",
		Example: "  kubectl berth simulate -f scenario.yaml\n  kubectl berth simulate -f scenario.yaml -o json --events\n" +
			"  kubectl berth simulate -f - < scenario.yaml",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	cmd.Flags().StringVarP(&o.file, "filename", "f", "", "the scenario; - reads standard input")
	cmd.Flags().StringVarP(&o.output, "output", "o", "table", "one of "+strings.Join(simulate.Formats, ", "))
	cmd.Flags().BoolVar(&o.events, "events", false, "tell everything that happens, in order")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(simulate.Formats, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagFilename("filename", "yaml", "yml")
	return cmd
}

func (o *simulateOptions) run(cmd *cobra.Command) error {
	if o.file == "" {
		return errors.New("no scenario; name a file with -f")
	}
	if !slices.Contains(simulate.Formats, o.output) {
		return fmt.Errorf("--output: got %q, want one of %s", o.output, strings.Join(simulate.Formats, ", "))
	}
	data, err := readFile(cmd, o.file)
	if err != nil {
		return err
	}
	in, mistakes := simulate.Read(data)
	if len(mistakes) > 0 {
		for _, m := range mistakes {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s:%s\n", o.file, strings.TrimPrefix(m.String(), "line "))
		}
		return &ExitError{Status: 2, Message: fmt.Sprintf("%s is not a valid scenario", o.file)}
	}
	options := simulate.Options{Events: o.events && o.output != "table"}
	if o.events && o.output == "table" {
		options.Live = cmd.OutOrStdout()
	}
	report := simulate.Run(in, options)
	if options.Live != nil {
		fmt.Fprintln(options.Live)
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

func readFile(cmd *cobra.Command, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(cmd.InOrStdin())
	}
	return os.ReadFile(name)
}
