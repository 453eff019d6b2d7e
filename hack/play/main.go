// Play plays a scenario of the simulator on a real control plane, and tells where the two differ:
//
//	berth-play [--speed 60] scenario.yaml...
//
// It is run from the root of the repository, with the manager beside it, as `make play` does. Exit status: 0 when the
// cluster does what the simulator says, 1 when it does not, 2 when a file is not valid or the play breaks down.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/play"
	"github.com/berth-dev/berth/internal/simulate"
)

func main() {
	speed := flag.Float64("speed", 60, "by how much time goes faster than in the scenario")
	keep := flag.Bool("keep-logs", false, "leave the cluster's folder behind, with the logs of all its parts")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	agree, err := run(ctx, flag.Args(), *speed, *keep)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "berth-play:", err)
		os.Exit(2) //nolint:gocritic // nothing is left to clean up
	case !agree:
		os.Exit(1)
	}
}

// run plays the files one after the other on one cluster, and tells whether all of them agree.
func run(ctx context.Context, files []string, speed float64, keep bool) (agree bool, err error) {
	inputs := make([]*simulate.Input, len(files))
	for i, file := range files {
		if inputs[i], err = read(file); err != nil {
			return false, err
		}
	}
	root, err := os.Getwd()
	if err != nil {
		return false, err
	}
	program, err := os.Executable()
	if err != nil {
		return false, err
	}
	cluster, err := devcluster.Start(ctx, devcluster.Options{KeepDir: keep})
	if err != nil {
		return false, err
	}
	defer cluster.Stop() //nolint:errcheck // what was played stands
	if keep {
		fmt.Fprintln(os.Stdout, "logs in", filepath.Join(cluster.Dir(), "logs"))
	}
	stage, err := play.NewStage(cluster, root, filepath.Join(filepath.Dir(program), "berth"))
	if err != nil {
		return false, err
	}
	agree = true
	for _, in := range inputs {
		result, err := stage.Play(ctx, in, play.Options{Speed: speed, Out: os.Stdout})
		if err != nil {
			return false, err
		}
		if err := result.Write(os.Stdout); err != nil {
			return false, err
		}
		agree = agree && result.Agrees()
	}
	return agree, nil
}

func read(file string) (*simulate.Input, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	in, mistakes := simulate.Read(data)
	if len(mistakes) > 0 {
		return nil, fmt.Errorf("%s:\n%w", file, mistakes)
	}
	return in, nil
}
