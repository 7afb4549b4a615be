package stack

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"
)

const (
	// stopTimeout is longer than services wait for in-flight calls.
	stopTimeout = 3 * time.Minute
	// goneTimeout limits how long the children of an exited process may take to exit.
	goneTimeout = 30 * time.Second
)

// Running reports whether the stack has been started and has not exited.
func (s *Stack) Running() bool { return s.cmd != nil && !s.hasEnded() }

func (s *Stack) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// Stop sends the signal of Ctrl-C and waits. If processes remain, it kills them and returns an error
// that lists them.
func (s *Stack) Stop() error {
	before := s.Processes()
	if s.hasEnded() {
		return errors.Join(fmt.Errorf("vitae exited by itself: %w", s.err), leftovers(before, goneTimeout))
	}
	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil {
		return fmt.Errorf("Ctrl-C: %w", err)
	}
	select {
	case <-s.ended:
	case <-time.After(stopTimeout):
		_ = s.cmd.Process.Kill()
		<-s.ended
		return errors.Join(fmt.Errorf("vitae did not exit within %v of Ctrl-C", stopTimeout), leftovers(before, goneTimeout))
	}
	if s.err != nil {
		return errors.Join(fmt.Errorf("vitae failed after Ctrl-C: %w", s.err), leftovers(before, goneTimeout))
	}
	return leftovers(before, goneTimeout)
}

// Kill kills the first process and waits until the others exit. They first finish in-flight requests and send
// their last reports.
func (s *Stack) Kill() error {
	before := s.Processes()
	if err := s.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("kill -9: %w", err)
	}
	<-s.ended
	return leftovers(before, stopTimeout)
}

// Ended waits until a stack exits after one of its services was killed. It returns an error that lists
// the remaining processes.
func (s *Stack) Ended(before []Process) error {
	select {
	case <-s.ended:
	case <-time.After(stopTimeout):
		return fmt.Errorf("vitae did not exit within %v of the kill", stopTimeout)
	}
	return leftovers(before, goneTimeout)
}

// leftovers waits until processes have exited. If processes remain, it kills them and returns an error
// that lists them.
func leftovers(processes []Process, within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	err := Until(ctx, "processes that did not exit", func(context.Context) error {
		var left []string
		for _, p := range processes {
			if p.Alive() {
				left = append(left, p.String())
			}
		}
		if len(left) == 0 {
			return nil
		}
		return errors.New(strings.Join(left, "\n"))
	})
	for _, p := range processes {
		if p.Alive() {
			_ = syscall.Kill(p.PID, syscall.SIGKILL)
		}
	}
	return err
}
