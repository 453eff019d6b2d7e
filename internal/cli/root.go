package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// ExitError ends the process with a status. An empty message prints nothing: all was said before.
type ExitError struct {
	Status  int
	Message string
}

func (e *ExitError) Error() string { return e.Message }

// Main runs a command line and returns the status to exit with: 0 when all is well, 1 when what was asked for does not hold, 2
// when it could not be done.
func Main(args []string, in io.Reader, out, errOut io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.Execute()
	var exit *ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		if exit.Message != "" {
			fmt.Fprintln(errOut, "error:", exit.Message)
		}
		return exit.Status
	default:
		fmt.Fprintln(errOut, "error:", err)
		return 2
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "kubectl-berth",
		Short:         "Ask Berth about gangs, and try out what it would decide",
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl berth"},
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(newSimulate(), newVersion())
	return root
}
