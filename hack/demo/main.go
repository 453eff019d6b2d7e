// Berth-demo shows in about a minute what Berth does, on a simulated cluster of 512 GPUs:
//
//	berth-demo [--keep]           play it; --keep leaves the cluster running
//	berth-demo --stop <folder>    end a cluster that was kept
//
// It is run from the root of the repository, with the manager beside it, as `make demo` does.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/berth-dev/berth/internal/demo"
	"github.com/berth-dev/berth/internal/devcluster"
)

func main() {
	keep := flag.Bool("keep", false, "leave the cluster running")
	stop := flag.String("stop", "", "end the kept cluster in this `folder`")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := run(ctx, *keep, *stop); err != nil {
		if errors.Is(err, context.Canceled) {
			fmt.Fprintln(os.Stderr, "\nStopped; no process is left.")
			os.Exit(130) //nolint:gocritic // nothing is left to clean up
		}
		fmt.Fprintln(os.Stderr, "berth-demo:", err)
		os.Exit(1)
	}
}

// pace lets people read a scene before the next.
const pace = 3 * time.Second

func run(ctx context.Context, keep bool, stop string) error {
	if stop != "" {
		return devcluster.StopDetached(stop)
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	opts := demo.Options{
		Out: os.Stdout, Pace: pace, Keep: keep, Root: root, Manager: filepath.Join(filepath.Dir(program), "berth"),
	}
	if width, height, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		opts.Width = width
		opts.Terminal = height >= demo.Height
		opts.Colour = os.Getenv("NO_COLOR") == ""
	}
	return demo.Run(ctx, opts)
}
