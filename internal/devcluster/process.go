package devcluster

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// process is a running child whose output goes to a file.
type process struct {
	name string
	log  string
	cmd  *exec.Cmd
	done chan struct{} // closed when the child has ended and err is set
	err  error
}

// startRequest asks the spawner for a child.
type startRequest struct {
	cmd     *exec.Cmd
	started chan error
}

// spawner starts all children from one OS thread that lives as long as the program. The parent-death signal follows
// the thread that forked, not the process: from an ordinary goroutine, whose thread the runtime may end at any time,
// children would be killed at random.
var spawner = sync.OnceValue(func() chan<- startRequest {
	requests := make(chan startRequest)
	go func() {
		runtime.LockOSThread() // never unlocked
		for r := range requests {
			r.started <- r.cmd.Start()
		}
	}()
	return requests
})

// startProcess runs a binary with logs in <dir>/logs/<name>.log. A detached one survives this program.
func startProcess(dir, name, binary string, detach bool, args ...string) (*process, error) {
	log := filepath.Join(dir, "logs", name+".log")
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer out.Close() // the child has its own descriptor
	cmd := exec.Command(binary, args...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = out, out
	// nothing of the caller's environment (proxies, kubeconfigs, feature gates) may change how a cluster behaves
	cmd.Env = []string{"HOME=" + dir, "TMPDIR=" + dir, "PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = childAttributes(detach)
	request := startRequest{cmd: cmd, started: make(chan error, 1)}
	spawner() <- request
	if err := <-request.started; err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	p := &process{name: name, log: log, cmd: cmd, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// kill ends the child at once and waits for its end. Nothing needs a graceful stop: etcd is safe against it.
func (p *process) kill() {
	select {
	case <-p.done: // its id may belong to somebody else by now
	default:
		_ = p.cmd.Process.Kill() // fails only if it has just ended
		<-p.done
	}
}

// failure describes a child that has ended by itself, or is nil while it runs.
func (p *process) failure() error {
	select {
	case <-p.done:
		return &exitError{name: p.name, log: p.log, tail: tail(p.log, 12), cause: p.err}
	default:
		return nil
	}
}

// exitError reports a component that ended without being told.
type exitError struct {
	name, log, tail string
	cause           error
}

func (e *exitError) Error() string {
	return fmt.Sprintf("%s ended by itself (%v); the end of %s:\n%s", e.name, e.cause, e.log, e.tail)
}

func (e *exitError) Unwrap() error { return e.cause }

// portTaken tells whether the component ended because somebody else had taken its port.
func (e *exitError) portTaken() bool {
	return strings.Contains(e.tail, "address already in use")
}

// tail returns the last lines of a file.
func tail(path string, lines int) string {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	all := bytes.Split(bytes.TrimSpace(raw), []byte("\n"))
	return string(bytes.Join(all[max(0, len(all)-lines):], []byte("\n")))
}
