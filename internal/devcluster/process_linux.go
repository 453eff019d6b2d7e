package devcluster

import (
	"fmt"
	"os"
	"syscall"
)

// childAttributes gives a child a process group of its own, so that Ctrl-C on the terminal reaches only this program,
// and lets the kernel kill it when this program dies.
func childAttributes(detach bool) *syscall.SysProcAttr {
	if detach {
		return &syscall.SysProcAttr{Setsid: true}
	}
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// commandLine is what a process was started with; empty for one that has ended but was not waited for.
func commandLine(pid int) (string, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return string(raw), err
}
