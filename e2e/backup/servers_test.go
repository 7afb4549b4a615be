package backup_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/child"
	"vitae.internal/pkg/testkit"
)

// site is an operator's machine: servers, backups, and the commands of the manual, which run as the
// Postgres user.
type site struct {
	dir   string
	owner *syscall.Credential
	// manual holds the commands of docs/operations.md by the names of their blocks.
	manual map[string]string
	// env holds the environment variables of the commands.
	env map[string]string
}

// block matches a named block of commands in the manual.
var block = regexp.MustCompile("(?ms)^ *```sh ([a-z-]+)\n(.*?)^ *```$")

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{dir: expect.Must(os.MkdirTemp(suite.Scratch, "site-"))(t), manual: map[string]string{}, env: map[string]string{}}
	must(t, os.Chmod(s.dir, 0o711))
	root := expect.Must(testkit.Root())(t)
	// The Postgres user may have no access to the repository.
	must(t, os.CopyFS(s.dir+"/deploy/backup", os.DirFS(root+"/deploy/backup")))
	must(t, filepath.WalkDir(s.dir+"/deploy", func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chmod(path, 0o755)) //nolint:gosec // programs for a different user
	}))
	for _, m := range block.FindAllStringSubmatch(string(expect.Must(os.ReadFile(root+"/docs/operations.md"))(t)), -1) {
		s.manual[m[1]] = m[2]
	}
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// start starts a Postgres server with the data in a folder of the site. All servers use the first server's
// password.
func (s *site) start(t *testing.T, name string) *backing.Postgres {
	t.Helper()
	pg := expect.Must(backing.StartPostgres(t.Context(), backing.PostgresOptions{Dir: filepath.Join(s.dir, name), Throwaway: true}))(t)
	t.Cleanup(pg.Kill)
	if s.owner == nil {
		info := expect.Must(os.Stat(filepath.Join(s.dir, name, "data")))(t).Sys().(*syscall.Stat_t)
		s.owner = &syscall.Credential{Uid: info.Uid, Gid: info.Gid}
		s.env["BACKUP"] = s.folder(t, "backup")
		s.setConnection(t, pg)
	}
	expect.Eventually(t, "recovery is complete", func(ctx context.Context) error {
		conn, err := pgx.Connect(ctx, pg.URL("postgres"))
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		var recovers bool
		if err := conn.QueryRow(ctx, "SELECT pg_is_in_recovery()").Scan(&recovers); err != nil || recovers {
			return fmt.Errorf("in recovery: %v, %w", recovers, err)
		}
		return nil
	})
	return pg
}

// setConnection sets the environment variables with which libpq connects to a server.
func (s *site) setConnection(t *testing.T, pg *backing.Postgres) {
	t.Helper()
	u := expect.Must(url.Parse(pg.URL("postgres")))(t)
	password, _ := u.User.Password()
	s.env["PGHOST"], s.env["PGPORT"] = u.Hostname(), u.Port()
	s.env["PGUSER"], s.env["PGPASSWORD"] = u.User.Username(), password
}

// folder creates a folder owned by the Postgres user.
func (s *site) folder(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(s.dir, name)
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.Chown(dir, int(s.owner.Uid), int(s.owner.Gid)))
	return dir
}

// makeServerDir creates the folder of a new server that uses the password of an existing server. It returns the
// path for the new server's data.
func (s *site) makeServerDir(t *testing.T, name, like string) (data string) {
	t.Helper()
	dir := s.folder(t, name)
	must(t, os.WriteFile(dir+"/superuser.password", expect.Must(os.ReadFile(filepath.Join(s.dir, like, "superuser.password")))(t), 0o600))
	return dir + "/data"
}

// command returns a block of the manual as a command.
func (s *site) command(t *testing.T, name string) *exec.Cmd {
	t.Helper()
	text, ok := s.manual[name]
	if !ok {
		t.Fatalf("docs/operations.md has no block %q", name)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "bash", "-euo", "pipefail", "-c", text)
	cmd.Dir, cmd.Env = s.dir, stack.Environ()
	for k, v := range s.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.owner}
	}
	return cmd
}

// runBlock runs a block of the manual and returns its output.
func (s *site) runBlock(t *testing.T, name string) string {
	t.Helper()
	var stderr strings.Builder
	cmd := s.command(t, name)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", name, err, out, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

// startBlock starts a command of the manual that runs until it is stopped.
func (s *site) startBlock(t *testing.T, name string) *child.Process {
	t.Helper()
	log := expect.Must(os.Create(filepath.Join(s.dir, name+".out")))(t)
	cmd := s.command(t, name)
	cmd.Stdout, cmd.Stderr = log, log
	p := expect.Must(child.Start(child.Options{Cmd: cmd, Name: name}))(t)
	t.Cleanup(p.Kill)
	return p
}

// query returns the single value of a query.
func query[T any](t *testing.T, pg *backing.Postgres, database, sql string, args ...any) (v T) {
	t.Helper()
	conn := expect.Must(pgx.Connect(t.Context(), pg.URL(database)))(t)
	defer conn.Close(context.WithoutCancel(t.Context()))
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}
