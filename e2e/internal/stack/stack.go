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

	"vitae.internal/pkg/localstack"
)

// Options configures a stack.
type Options struct {
	Binaries Binaries
	// Dir is the data folder. It may be new, or from an earlier stack.
	Dir string
	// Replicas is the number of gateway replicas.
	Replicas int
	// Env holds additional settings, as NAME=value.
	Env []string
}

// Stack is a running system.
type Stack struct {
	// BaseURLs holds the URLs of the REST API, one for each replica.
	BaseURLs []string
	// AppURLs holds the URLs of the pages, one for each replica.
	AppURLs []string
	// LegacyURLs holds the URLs of the legacy interface, one for each replica.
	LegacyURLs []string
	// ConsoleURLs holds the URLs of the developer console, one for each replica.
	ConsoleURLs []string

	options Options
	env     []string
	log     string
	ready   int // status of the discovery document when a replica is ready
	cmd     *exec.Cmd
	ended   chan struct{}
	err     error
}

// New returns a stack that has not been started. It chooses the stack's ports.
func New(o Options) (*Stack, error) {
	s := &Stack{options: o, log: o.Dir + ".log", ready: http.StatusOK}
	if err := s.choosePorts(); err != nil {
		return nil, err
	}
	return s, nil
}

// Attach returns the stack at E2E_BASE_URL with the data folder E2E_DATA_DIR. E2E_BASE_URL,
// E2E_APP_URL, E2E_LEGACY_URL and E2E_CONSOLE_URL are comma-separated lists of replica URLs; the last
// three are optional.
func Attach(b Binaries) (*Stack, error) {
	s := &Stack{options: Options{Binaries: b, Dir: os.Getenv("E2E_DATA_DIR")}, ready: http.StatusOK}
	s.BaseURLs = strings.Split(os.Getenv("E2E_BASE_URL"), ",")
	for variable, of := range map[string]struct {
		into *[]string
		note func(localstack.Stack) string
	}{
		"E2E_APP_URL":     {&s.AppURLs, func(n localstack.Stack) string { return n.AppURL }},
		"E2E_CONSOLE_URL": {&s.ConsoleURLs, func(n localstack.Stack) string { return n.ConsoleURL }},
		"E2E_LEGACY_URL":  {&s.LegacyURLs, func(n localstack.Stack) string { return n.LegacyBaseURL }},
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

// Named returns the environment variables with which Attach finds this stack.
func (s *Stack) Named() []string {
	return []string{
		"E2E_BIN=" + s.options.Binaries.Dir, "E2E_DATA_DIR=" + s.options.Dir,
		"E2E_BASE_URL=" + strings.Join(s.BaseURLs, ","), "E2E_APP_URL=" + strings.Join(s.AppURLs, ","),
		"E2E_LEGACY_URL=" + strings.Join(s.LegacyURLs, ","), "E2E_CONSOLE_URL=" + strings.Join(s.ConsoleURLs, ","),
	}
}

// Of returns a stack that the caller starts and stops. vitaectl finds it through the data folder.
func Of(b Binaries, dir string, baseURLs, appURLs []string) *Stack {
	return &Stack{BaseURLs: baseURLs, AppURLs: appURLs, options: Options{Binaries: b, Dir: dir}, ready: http.StatusOK}
}

// Start starts the system and waits until every gateway replica is ready. After Stop it can be called
// again, and uses the same ports and data.
func (s *Stack) Start(ctx context.Context) error {
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() // the child has its own copy
	s.cmd = exec.Command(s.options.Binaries.Path("vitae"))
	s.cmd.Env = append(append(Environ(), s.env...), s.options.Env...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	// In its own process group, the system does not receive Ctrl-C from the terminal.
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

// SetEnv replaces Options.Env for the next Start.
func (s *Stack) SetEnv(env ...string) { s.options.Env = env }

// ReadyWhen sets the status with which a ready replica serves the discovery document. The default is
// 200.
func (s *Stack) ReadyWhen(status int) { s.ready = status }

// Dir returns the data folder.
func (s *Stack) Dir() string { return s.options.Dir }

// Note returns the description of the stack that is stored in its data folder.
func (s *Stack) Note() (localstack.Stack, error) { return localstack.Load(s.options.Dir) }

// TLSDir returns the folder of the certificates.
func (s *Stack) TLSDir() string { return filepath.Join(s.options.Dir, "tls") }

// LogTail returns the end of the stack's output and of its log.
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
