package testkit

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// grace is how long a command may take to exit after the signal.
const grace = time.Minute

// RunCommand runs a command with additional environment variables (NAME=value) and returns its exit
// status. When ctx is done, the command and its child processes get SIGINT.
func RunCommand(ctx context.Context, environment, command []string) (status int, err error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	// The command gets its own process group, so that a signal to this process only also stops the
	// command's children.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = grace
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode(), nil // the command has reported the error itself
	}
	return 0, err
}
