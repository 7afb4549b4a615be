package backing

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
	// attempts bounds the tries with another port when the chosen one was taken
	// between the choice and the server's bind.
	attempts = 5
	// logLimit is the size above which a start begins a new log, keeping one old.
	logLimit = 16 << 20
	logTail  = 2 << 10
)

// server is a running child that answers on a loopback port.
type server struct {
	*child.Process
	port    int
	logFile string
}

// launch says how to run one server.
type launch struct {
	name    string
	home    string // real directory; the log goes there
	port    int    // 0 chooses a free one
	end     syscall.Signal
	acct    *account
	command func(port int) *exec.Cmd
	// ping succeeds when the server answers a real request.
	ping func(ctx context.Context, port int) error
}

// run starts the server and returns when it answers.
func (l launch) run(ctx context.Context) (*server, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if l.port != 0 {
		return l.once(ctx, l.port)
	}
	var last error
	for range attempts {
		port, err := freePort()
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

func (l launch) once(ctx context.Context, port int) (*server, error) {
	logFile := filepath.Join(l.home, l.name+".log")
	out, err := openLog(logFile)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	begin, err := out.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("open the log of %s: %w", l.name, err)
	}
	cmd := l.command(port)
	l.acct.lower(cmd)
	cmd.Stdout, cmd.Stderr = out, out
	proc, err := child.Start(child.Options{Cmd: cmd, Name: l.name, End: l.end})
	if err != nil {
		return nil, err
	}
	s := &server{Process: proc, port: port, logFile: logFile}
	if err := s.awaitReady(ctx, l.ping); err != nil {
		s.Kill()
		return nil, fmt.Errorf("%s did not start: %w\n%s", l.name, err, tail(logFile, begin))
	}
	return s, nil
}

// awaitReady asks until the server answers, and gives up when it has ended.
func (s *server) awaitReady(ctx context.Context, ping func(context.Context, int) error) error {
	for {
		err := ping(ctx, s.port)
		if err == nil {
			return nil
		}
		select {
		case <-s.Done():
			return fmt.Errorf("it ended: %w", errors.Join(s.Err(), errEnded))
		default:
		}
		if pause(ctx, pollEvery) != nil {
			return fmt.Errorf("no answer within %s: %w", startTimeout, err)
		}
	}
}

var errEnded = errors.New("process gone before it answered")

// stop asks the server to end in order and waits for it.
func (s *server) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	return s.Stop(ctx)
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

// tail gives the log from the offset begin on; of a long one, the end.
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
