package stack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Processes are the current processes of the stack.
func (s *Stack) Processes() []Process {
	first := -1 // a stack that somebody else started is known by its data folder alone
	if s.cmd != nil {
		first = s.cmd.Process.Pid
	}
	return descendants(first, s.options.Dir)
}

// Below are the descendants of a process.
func Below(pid int) []Process { return descendants(pid, "") }

// Parts are the processes of a service ("auth", "gateway", …), found by their command lines. The
// gateway has one for each replica.
func (s *Stack) Parts(name string) []Process {
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

// Setting is the value of an environment variable of a service, which must have its own process.
func (s *Stack) Setting(part, variable string) (string, error) {
	for _, p := range s.Parts(part) {
		if value, ok := p.Env(variable); ok {
			return value, nil
		}
	}
	return "", fmt.Errorf("no process of part %s with %s in its environment", part, variable)
}

// redisURLFile is the file with the operator's URL of the stack's own Redis.
const redisURLFile = "redis.url"

// RedisURL is a URL of the stack's Redis with all permissions.
func (s *Stack) RedisURL() (string, error) {
	raw, err := os.ReadFile(filepath.Join(s.options.Dir, redisURLFile))
	if errors.Is(err, fs.ErrNotExist) {
		return s.Setting("gateway", "VITAE_REDIS_URL")
	}
	return strings.TrimSpace(string(raw)), err
}

// Database is a URL of a service's database with all permissions: the superuser's of the stack's
// own Postgres, or the owner's of another server.
func (s *Stack) Database(part string) (string, error) {
	home := filepath.Join(s.options.Dir, "postgres")
	password, err := os.ReadFile(filepath.Join(home, "superuser.password"))
	if errors.Is(err, fs.ErrNotExist) {
		return s.Setting(part, "VITAE_POSTGRES_MIGRATION_URL")
	}
	pid, faultOfPID := os.ReadFile(filepath.Join(home, "data", "postmaster.pid"))
	if err = errors.Join(err, faultOfPID); err != nil {
		return "", err
	}
	lines := strings.Split(string(pid), "\n")
	if len(lines) < 4 {
		return "", fmt.Errorf("postmaster.pid has no port: %q", pid)
	}
	return fmt.Sprintf("postgres://vitae:%s@127.0.0.1:%s/vitae_%s", strings.TrimSpace(string(password)), lines[3], part), nil
}
