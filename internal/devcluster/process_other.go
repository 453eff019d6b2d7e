//go:build !linux

package devcluster

import (
	"os/exec"
	"strconv"
	"syscall"
)

// childAttributes gives a child a process group of its own. Without a parent-death signal a program that is killed
// leaves its children behind; Stop ends them in all other cases.
func childAttributes(detach bool) *syscall.SysProcAttr {
	if detach {
		return &syscall.SysProcAttr{Setsid: true}
	}
	return &syscall.SysProcAttr{Setpgid: true}
}

// commandLine is what a process was started with.
func commandLine(pid int) (string, error) {
	out, err := exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	return string(out), err
}
