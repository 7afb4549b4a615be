package stack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Processes returns the stack's current processes.
func (s *Stack) Processes() []Process {
	first := -1 // an attached stack is identified only by its data folder
	if s.cmd != nil {
		first = s.cmd.Process.Pid
	}
	return descendants(first, s.options.Dir)
}

// Below returns the descendants of a process.
func Below(pid int) []Process { return descendants(pid, "") }

// Services returns the processes of a service ("auth", "gateway", …), identified by their command
// lines. The gateway has one process for each replica.
func (s *Stack) Services(name string) []Process {
	var found []Process
	for _, p := range s.Processes() {
		program, rest, _ := strings.Cut(p.Command, " ")
		program = program[strings.LastIndexByte(program, '/')+1:]
		if program == name || (program == "vitae" && strings.HasPrefix(rest+" ", name+" ")) {
			found = append(found, p)
		}
	}
	return found
}

// Setting returns an environment variable of a service, which must run in its own process.
func (s *Stack) Setting(service, variable string) (string, error) {
	for _, p := range s.Services(service) {
		if value, ok := p.Env(variable); ok {
			return value, nil
		}
	}
	return "", fmt.Errorf("no process of service %s has %s in its environment", service, variable)
}

// redisURLFile is the name of the file that contains the operator's URL for the stack's own Redis.
const redisURLFile = "redis.url"

// RedisURL returns a URL for the stack's Redis that grants all permissions.
func (s *Stack) RedisURL() (string, error) {
	raw, err := os.ReadFile(filepath.Join(s.options.Dir, redisURLFile))
	if errors.Is(err, fs.ErrNotExist) {
		return s.Setting("gateway", "VITAE_REDIS_URL")
	}
	return strings.TrimSpace(string(raw)), err
}

// Database returns a URL for a service's database that grants all permissions. On the stack's own Postgres, the
// user is the superuser, and on another server the database's owner.
func (s *Stack) Database(service string) (string, error) {
	home := filepath.Join(s.options.Dir, "postgres")
	password, err := os.ReadFile(filepath.Join(home, "superuser.password"))
	if errors.Is(err, fs.ErrNotExist) {
		return s.Setting(service, "VITAE_POSTGRES_MIGRATION_URL")
	}
	pid, pidErr := os.ReadFile(filepath.Join(home, "data", "postmaster.pid"))
	if err = errors.Join(err, pidErr); err != nil {
		return "", err
	}
	lines := strings.Split(string(pid), "\n")
	if len(lines) < 4 {
		return "", fmt.Errorf("postmaster.pid has no port: %q", pid)
	}
	return fmt.Sprintf("postgres://vitae:%s@127.0.0.1:%s/vitae_%s", strings.TrimSpace(string(password)), lines[3], service), nil
}
