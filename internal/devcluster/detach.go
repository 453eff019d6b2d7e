package devcluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// stateFile lists the processes of a detached cluster, in the order of their start.
const stateFile = "state.json"

// stopDeadline bounds how long StopDetached waits for killed processes to vanish.
const stopDeadline = 10 * time.Second

// state is the content of the state file.
type state struct {
	Processes []processState `json:"processes"`
}

type processState struct {
	Name string `json:"name"`
	PID  int    `json:"pid"`
}

func (c *Cluster) writeState() error {
	var s state
	for _, p := range c.running() {
		s.Processes = append(s.Processes, processState{Name: p.name, PID: p.cmd.Process.Pid})
	}
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(c.dir, stateFile), raw, 0o600)
}

// StopDetached ends a cluster that was started with Options.Detach, waits until its processes are gone and removes
// its folder. It kills a process only when its command line names the folder: ids are used again.
func StopDetached(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(filepath.Join(dir, stateFile))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is not the folder of a detached cluster: it has no %s", dir, stateFile)
	}
	if err != nil {
		return err
	}
	var s state
	if err := json.Unmarshal(raw, &s); err != nil {
		return fmt.Errorf("reading %s: %w", stateFile, err)
	}
	for _, p := range s.Processes {
		if !runsIn(p.PID, dir) {
			continue
		}
		if err := syscall.Kill(p.PID, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("ending %s, process %d: %w", p.Name, p.PID, err)
		}
	}
	deadline := time.Now().Add(stopDeadline)
	for _, p := range s.Processes {
		for runsIn(p.PID, dir) {
			if time.Now().After(deadline) {
				return fmt.Errorf("%s, process %d, still runs %v after it was killed", p.Name, p.PID, stopDeadline)
			}
			<-time.After(pollInterval)
		}
	}
	return os.RemoveAll(dir)
}

// runsIn tells whether a process is alive and was started with paths of the folder in its command line.
func runsIn(pid int, dir string) bool {
	line, err := commandLine(pid)
	return err == nil && strings.Contains(line, dir+string(filepath.Separator))
}
