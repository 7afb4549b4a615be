package stack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"vitae.internal/pkg/localstack"
)

const (
	// startTimeout is for a first start on a loaded machine: initdb, migrations,
	// Chromium.
	startTimeout = 3 * time.Minute
	// stopTimeout is longer than the parts' own time to finish running calls.
	stopTimeout = 90 * time.Second
	// goneTimeout is for the kernel to end what hangs below a process that has ended
	// in order.
	goneTimeout = 10 * time.Second
)

// Options describe a stack to start.
type Options struct {
	// Binaries to run.
	Binaries Binaries
	// Dir is the data folder. It may not be there yet, or hold what an earlier
	// stack left.
	Dir string
	// Replicas of the edge.
	Replicas int
	// Env is set beside what the stack sets.
	Env []string
}

// Stack is a running system.
type Stack struct {
	// BaseURLs of the REST edge, one for each replica.
	BaseURLs []string
	// AppURLs of the pages, one for each replica.
	AppURLs []string
	// LegacyURLs of the older interface, one for each replica.
	LegacyURLs []string

	options Options
	env     []string
	log     string
	ready   int // status of the discovery document once the stack serves
	cmd     *exec.Cmd
	ended   chan struct{}
	err     error
}

// New chooses ports for a stack. Nothing runs yet.
func New(o Options) (*Stack, error) {
	s := &Stack{options: o, log: o.Dir + ".log", ready: http.StatusOK}
	if err := s.choosePorts(); err != nil {
		return nil, err
	}
	return s, nil
}

// Attach is the stack at E2E_BASE_URL, whose data folder is E2E_DATA_DIR.
// E2E_BASE_URL holds the replicas' addresses, separated by commas; so do E2E_APP_URL
// and E2E_LEGACY_URL, which are read from the data folder's note when they are unset.
func Attach(b Binaries) (*Stack, error) {
	s := &Stack{options: Options{Binaries: b, Dir: os.Getenv("E2E_DATA_DIR")}, ready: http.StatusOK}
	s.BaseURLs = strings.Split(os.Getenv("E2E_BASE_URL"), ",")
	for variable, of := range map[string]struct {
		into *[]string
		note func(localstack.Stack) string
	}{
		"E2E_APP_URL":    {&s.AppURLs, func(n localstack.Stack) string { return n.AppURL }},
		"E2E_LEGACY_URL": {&s.LegacyURLs, func(n localstack.Stack) string { return n.LegacyBaseURL }},
	} {
		if given := os.Getenv(variable); given != "" {
			*of.into = strings.Split(given, ",")
			continue
		}
		note, err := localstack.Load(s.options.Dir)
		if err != nil {
			return nil, fmt.Errorf("E2E_BASE_URL needs E2E_DATA_DIR: %w", err)
		}
		*of.into = []string{of.note(note)}
	}
	return s, s.awaitReady(context.Background())
}

// Of is a system that somebody else runs and ends, whose data folder dir has the
// note by which vitaectl finds it.
func Of(b Binaries, dir string, baseURLs, appURLs []string) *Stack {
	return &Stack{BaseURLs: baseURLs, AppURLs: appURLs, options: Options{Binaries: b, Dir: dir}, ready: http.StatusOK}
}

// Start starts the system and returns when every replica of the edge serves. It
// may be called again after Stop: same ports, same data.
func (s *Stack) Start(ctx context.Context) error {
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() // the child has its own copy
	s.cmd = exec.Command(s.options.Binaries.Path("vitae"))
	s.cmd.Env = append(append(Environ(), s.env...), s.options.Env...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	// A group of its own: Ctrl-C at the test's terminal goes to the test alone.
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("start vitae: %w", err)
	}
	ended := make(chan struct{})
	s.ended = ended
	go func(cmd *exec.Cmd) {
		s.err = cmd.Wait()
		close(ended)
	}(s.cmd)
	if err := s.awaitReady(ctx); err != nil {
		return errors.Join(err, s.Stop())
	}
	return nil
}

func (s *Stack) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return Until(ctx, "wait for the stack", func(ctx context.Context) error {
		if s.cmd != nil && s.hasEnded() {
			cancel()
			return fmt.Errorf("vitae ended: %w", s.err)
		}
		if s.options.Dir != "" {
			if _, err := localstack.Load(s.options.Dir); err != nil {
				return err
			}
		}
		for i := range s.BaseURLs {
			if err := answers(ctx, s.BaseURLs[i]+"/.well-known/oauth-authorization-server", s.ready); err != nil {
				return err
			}
		}
		for i := range s.LegacyURLs {
			if err := answers(ctx, s.LegacyURLs[i]+"/", http.StatusNotFound); err != nil {
				return err
			}
		}
		for i := range s.AppURLs {
			if err := answers(ctx, s.AppURLs[i]+"/connections", http.StatusOK); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Stack) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

func answers(ctx context.Context, url string, status int) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != status {
		return fmt.Errorf("%s answers %d", url, res.StatusCode)
	}
	return nil
}

// SetEnv changes the environment beside what the stack sets, for the next Start.
func (s *Stack) SetEnv(env ...string) { s.options.Env = env }

// ReadyWhen says which status of the discovery document means that an edge serves,
// 200 unless it is called.
func (s *Stack) ReadyWhen(status int) { s.ready = status }

// Running reports whether a stack that the suite started has not ended.
func (s *Stack) Running() bool { return s.cmd != nil && !s.hasEnded() }

// Ended waits until the stack, of which a part was killed, has ended, and reports
// the processes that it left behind.
func (s *Stack) Ended(before []Process) error {
	select {
	case <-s.ended:
	case <-time.After(stopTimeout):
		return fmt.Errorf("vitae goes on without a part")
	}
	return leftovers(before, goneTimeout)
}

// Own reports whether the suite started the stack, and so may stop it.
func (s *Stack) Own() bool { return s.cmd != nil }

// Processes are the processes that the stack runs now, its own first process
// among them.
func (s *Stack) Processes() []Process {
	first := -1 // another's stack is known by its data folder alone
	if s.cmd != nil {
		first = s.cmd.Process.Pid
	}
	return descendants(first, s.options.Dir)
}

// Stop presses Ctrl-C, waits, and reports every process that is left. What is
// left is killed, so that one fault does not become many.
func (s *Stack) Stop() error {
	before := s.Processes()
	if s.hasEnded() {
		return errors.Join(fmt.Errorf("vitae ended by itself: %w", s.err), leftovers(before, goneTimeout))
	}
	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil {
		return fmt.Errorf("Ctrl-C: %w", err)
	}
	return s.awaitEnd(before)
}

// Kill ends the stack's first process with SIGKILL and waits until the rest, which
// must follow it, is gone. The parts end in order then, and so take their time:
// an edge waits for running requests, and for seconds for an auth that is gone too
// to take its last report.
func (s *Stack) Kill() error {
	before := s.Processes()
	if err := s.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("kill -9: %w", err)
	}
	<-s.ended
	return leftovers(before, stopTimeout)
}

func (s *Stack) awaitEnd(before []Process) error {
	select {
	case <-s.ended:
	case <-time.After(stopTimeout):
		_ = s.cmd.Process.Kill()
		<-s.ended
		return errors.Join(fmt.Errorf("vitae did not end within %v of Ctrl-C", stopTimeout), leftovers(before, goneTimeout))
	}
	if s.err != nil {
		return errors.Join(fmt.Errorf("vitae ended with a fault after Ctrl-C: %w", s.err), leftovers(before, goneTimeout))
	}
	return leftovers(before, goneTimeout)
}

// leftovers leaves processes a while to end, as their parent's death tells them to,
// names those that still run, and kills them.
func leftovers(processes []Process, within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	err := Until(ctx, "processes left behind", func(context.Context) error {
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

// LogTail is the end of what the stack printed, and of what its parts logged.
func (s *Stack) LogTail() string {
	return tail(s.log) + tail(filepath.Join(s.options.Dir, "vitae.log"))
}

func tail(file string) string {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err.Error() + "\n"
	}
	const keep = 12 << 10
	if len(raw) > keep {
		raw = raw[len(raw)-keep:]
	}
	return fmt.Sprintf("%s:\n%s\n", file, raw)
}

// Dir is the data folder.
func (s *Stack) Dir() string { return s.options.Dir }

// Note is what the stack says of itself in its data folder.
func (s *Stack) Note() (localstack.Stack, error) { return localstack.Load(s.options.Dir) }

// TLSDir holds the certificates of the parts.
func (s *Stack) TLSDir() string { return filepath.Join(s.options.Dir, "tls") }
