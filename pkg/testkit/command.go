package testkit

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// grace is how long a command may take to end after the signal.
const grace = time.Minute

// RunCommand runs a command and its arguments, such as a test runner, with more variables in
// its environment (NAME=value), and returns its exit status. When ctx ends, the command and all that it has
// started get SIGINT.
func RunCommand(ctx context.Context, environment, command []string) (status int, err error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	// A process group of the command's own, so that a signal to this process alone also ends
	// what the command has started.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = grace
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode(), nil // the command has said what is wrong
	}
	return 0, err
}
