package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"vitae.internal/pkg/child"
)

const (
	startTimeout = 60 * time.Second // enough for crash recovery on a loaded machine
	stopTimeout  = 30 * time.Second
	// attempts is the maximum number of ports to try if a chosen port has been taken.
	attempts = 5
	// logLimit is the size above which the next start rotates the log. One old log is kept.
	logLimit = 16 << 20
	logTail  = 2 << 10
)

// Server is a running child process that listens on a loopback port.
type Server struct {
	*child.Process
	Port int
}

// Launch describes how to start a server.
type Launch struct {
	Name    string
	Home    Home // the log file is created there
	Port    int  // 0 means any free port
	End     syscall.Signal
	Command func(port int) *exec.Cmd
	// Ping returns nil if the server responds to a real request.
	Ping func(ctx context.Context, port int) error
}

// Run starts the server and waits until it responds.
func (l Launch) Run(ctx context.Context) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if l.Port != 0 {
		return l.once(ctx, l.Port)
	}
	var last error
	for range attempts {
		port, err := FreePort()
		if err != nil {
			return nil, err
		}
		s, err := l.once(ctx, port)
		if err == nil {
			return s, nil
		}
		last = err
		if !strings.Contains(err.Error(), "Address already in use") {
			break
		}
	}
	return nil, last
}

func (l Launch) once(ctx context.Context, port int) (*Server, error) {
	logFile := filepath.Join(l.Home.Path, l.Name+".log")
	out, err := openLog(logFile)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	begin, err := out.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("open the log of %s: %w", l.Name, err)
	}
	cmd := l.Command(port)
	if cmd.Dir == "" {
		cmd.Dir = l.Home.Path
	}
	l.Home.Lower(cmd)
	cmd.Stdout, cmd.Stderr = out, out
	proc, err := child.Start(child.Options{Cmd: cmd, Name: l.Name, End: l.End})
	if err != nil {
		return nil, err
	}
	s := &Server{Process: proc, Port: port}
	if err := s.awaitReady(ctx, l.Ping); err != nil {
		s.Kill()
		return nil, fmt.Errorf("%s did not start: %w\n%s", l.Name, err, tail(logFile, begin))
	}
	return s, nil
}

// awaitReady waits until the server responds or has exited.
func (s *Server) awaitReady(ctx context.Context, ping func(context.Context, int) error) error {
	for {
		err := ping(ctx, s.Port)
		if err == nil {
			return nil
		}
		select {
		case <-s.Done():
			return fmt.Errorf("it exited: %w", errors.Join(s.Err(), errEnded))
		default:
		}
		if Pause(ctx, PollEvery) != nil {
			return fmt.Errorf("no response within %s: %w", startTimeout, err)
		}
	}
}

var errEnded = errors.New("the process exited before it responded")

// Stop sends the server its end signal and waits until it has exited. It kills the server after
// stopTimeout.
func (s *Server) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	return s.Process.Stop(ctx)
}

func openLog(file string) (*os.File, error) {
	if info, err := os.Stat(file); err == nil && info.Size() > logLimit {
		if err := os.Rename(file, file+".1"); err != nil {
			return nil, fmt.Errorf("begin a new log: %w", err)
		}
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	return f, nil
}

// tail returns the log from offset begin, or its last logTail bytes if it is longer.
func tail(file string, begin int64) string {
	raw, err := os.ReadFile(file)
	if err != nil || int64(len(raw)) < begin {
		return ""
	}
	raw = raw[begin:]
	if len(raw) > logTail {
		raw = raw[len(raw)-logTail:]
	}
	return strings.TrimSpace(string(raw))
}
