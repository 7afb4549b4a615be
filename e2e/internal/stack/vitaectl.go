package stack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
)

// Result is the result of a vitaectl command.
type Result struct {
	Stdout, Stderr string
	// Code is the exit status.
	Code int
}

// Vitaectl runs vitaectl. It returns no error if the command fails; see Result.Code.
func (s *Stack) Vitaectl(ctx context.Context, args ...string) (Result, error) {
	return s.VitaectlWith(ctx, nil, args...)
}

// VitaectlWith is like Vitaectl, with additional environment variables.
func (s *Stack) VitaectlWith(ctx context.Context, settings []string, args ...string) (Result, error) {
	cmd := exec.CommandContext(ctx, s.options.Binaries.Path("vitaectl"), args...)
	cmd.Env = append(Environ(), "VITAE_DATA_DIR="+s.options.Dir)
	cmd.Env = append(cmd.Env, settings...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Result{}, fmt.Errorf("vitaectl %v: %w", args, err)
	}
	return Result{Stdout: stdout.String(), Stderr: stderr.String(), Code: cmd.ProcessState.ExitCode()}, nil
}
