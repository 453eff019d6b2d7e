package devcluster

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"
)

// Program is a process beside the control plane, such as a controller under test. It lives and dies with the cluster:
// Stop ends it before the servers that it talks to, and Err and WaitFor report it when it ends by itself.
type Program struct {
	cluster *Cluster
	process *process
}

// StartProgram runs a binary in the cluster's folder, with logs in logs/<name>.log there, to which another program of the
// name adds. Its environment holds PATH, HOME and TMPDIR alone, the latter two the cluster's folder. In a detached cluster
// an argument must name a path inside the folder, since StopDetached knows its processes by that.
func (c *Cluster) StartProgram(name, binary string, args ...string) (*Program, error) {
	p, err := c.runBinary(component{name: name, args: args}, binary)
	if p == nil {
		return nil, err
	}
	program := &Program{cluster: c, process: p}
	if err != nil {
		return nil, errors.Join(err, program.Stop(0))
	}
	return program, nil
}

// PID is the id of the process.
func (p *Program) PID() int { return p.process.cmd.Process.Pid }

// Log is the path of the file that the program's output goes to.
func (p *Program) Log() string { return p.process.log }

// Stop ends the program and waits for its end: by SIGTERM first, and by SIGKILL when it has not ended after grace; at once
// by SIGKILL where grace is 0. A program that has ended by itself before is an error.
func (p *Program) Stop(grace time.Duration) error {
	err := p.process.failure()
	p.cluster.forget(p.process)
	if err != nil {
		return err
	}
	if grace > 0 {
		if err := p.process.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("stopping %s: %w", p.process.name, err)
		}
		select {
		case <-p.process.done:
		case <-time.After(grace):
		}
	}
	p.process.kill()
	return nil
}

// forget takes a process off the list, so that its end is nobody's failure.
func (c *Cluster) forget(gone *process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.processes = slices.DeleteFunc(c.processes, func(p *process) bool { return p == gone })
}
