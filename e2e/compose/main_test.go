//go:build compose

package compose_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitae.internal/e2e/internal/world"
)

const (
	repository = "../.."
	// project differs from the project name of a deployment that may run on the same machine.
	project = "vitae-test"
	// ours is the version of images built from this tree. other is the version of images built from a
	// different commit.
	ours, other = "test", "test-other"
)

var (
	// system is the deployment that the tests share.
	system *deployment
	// alive is canceled when the tests are interrupted.
	alive = context.Background()
	// copies is the folder that contains the folders of all deployments.
	copies string
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) (code int) {
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	alive = interrupted
	var err error
	if copies, err = os.MkdirTemp("", project+"-"); err == nil {
		system, err = newDeployment(ours, "")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "compose:", err)
		return 1
	}
	// An interrupted test does not run its cleanup, so its containers are removed here.
	forgo := context.AfterFunc(interrupted, func() {
		_ = removeAll()
		os.Exit(130)
	})
	defer forgo()
	defer func() {
		if err := removeAll(); err != nil {
			fmt.Fprintln(os.Stderr, "--- FAIL: removing the deployment:", err)
			code = max(code, 1)
		}
	}()
	return m.Run()
}

// deployment is a copy of the tree with its own .env and secrets, as an operator would have it.
type deployment struct {
	dir, version string
	// files lists compose files in addition to docker-compose.yml.
	files []string
	env   []string
	// built is set if the images already exist (E2E_COMPOSE_BUILT).
	built bool
	// world is the output of the demo world's import. own is the output of importing a person and a
	// client for the tests.
	world, own *created
	person     world.Person
}

// newDeployment copies the tree, or a commit combined with the files of this tree that build and start
// images.
func newDeployment(version, commit string) (*deployment, error) {
	dir := filepath.Join(copies, version)
	if err := errors.Join(os.Chmod(copies, 0o755), os.Mkdir(dir, 0o755)); err != nil {
		return nil, err
	}
	d := &deployment{dir: dir, version: version, built: os.Getenv("E2E_COMPOSE_BUILT") != ""}
	list := "git ls-files -co --exclude-standard -z | xargs -0 ls -d 2>/dev/null | tar --create --files-from=- "
	if commit != "" {
		if err := d.shell(repository, "git archive "+commit+" | tar --extract --directory="+dir); err != nil {
			return d, err
		}
		list = "tar --create docker-compose.yml deploy/docker pkg/redisacl/users.acl "
	}
	if err := d.shell(repository, list+"| tar --extract --directory="+dir); err != nil {
		return d, err
	}
	return d, d.shell(dir, "deploy/docker/new-env.sh >/dev/null")
}

func (d *deployment) shell(dir, line string) error {
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", line)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", line, err, out)
	}
	return nil
}

// command returns a command of the installed version of Compose.
func (d *deployment) command(ctx context.Context, args ...string) *exec.Cmd {
	all := []string{"docker", "compose"}
	if exec.Command("docker", "compose", "version").Run() != nil {
		all = []string{"docker-compose"}
	}
	for _, f := range append([]string{"docker-compose.yml"}, d.files...) {
		all = append(all, "--file", f)
	}
	return d.prepared(exec.CommandContext(ctx, all[0], append(all[1:], args...)...))
}

// prepared configures a command to run in the copy. It passes interrupts on, so the command stops what
// it has started, such as a build.
func (d *deployment) prepared(cmd *exec.Cmd) *exec.Cmd {
	cmd.Dir, cmd.Env = d.dir, d.environ()
	cmd.Cancel, cmd.WaitDelay = func() error { return cmd.Process.Signal(os.Interrupt) }, time.Minute
	return cmd
}

func (d *deployment) environ() []string {
	return append(append(os.Environ(), "COMPOSE_PROJECT_NAME="+project, "DOCKER_BUILDKIT=1", "COMPOSE_DOCKER_CLI_BUILD=1",
		"VITAE_VERSION="+d.version), d.env...)
}

// vary sets additional settings and compose files until the test ends. Tests that need the deployment
// afterwards restore it with up.
func (d *deployment) vary(t testing.TB, env []string, files ...string) {
	d.env, d.files = env, files
	t.Cleanup(func() { d.env, d.files = nil, nil })
}

// removeAll removes the containers, volumes and networks of the tests, their images unless they existed
// before, and the copies.
func removeAll() error {
	down := system.command(context.Background(), "--profile", "tools", "--profile", "partner", "down", "--volumes", "--remove-orphans")
	out, err := down.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	if os.Getenv("E2E_COMPOSE_BUILT") == "" {
		for _, version := range []string{ours, other} {
			images := strings.Fields(tryOutput("docker", "image", "ls", "--quiet", "--filter", "reference=vitae/*:"+version))
			_ = exec.Command("docker", append([]string{"image", "rm", "--force"}, images...)...).Run() // fails if there are none
		}
	}
	return errors.Join(err, os.RemoveAll(copies))
}

// compose runs a Compose command that must succeed, and returns its standard output.
func (d *deployment) compose(t testing.TB, args ...string) string {
	t.Helper()
	cmd := d.command(alive, args...)
	defer func() {
		if t.Failed() {
			reportUnhealthy(t)
		}
	}()
	return output(t, cmd)
}

// reportUnhealthy logs the health checks and the last log lines of unhealthy containers.
func reportUnhealthy(t testing.TB) {
	t.Helper()
	for id := range strings.FieldsSeq(tryOutput("docker", "ps", "--quiet", "--filter", "health=unhealthy")) {
		t.Log(tryOutput("docker", "inspect", "--format", "{{.Name}} {{json .State.Health}}", id))
		t.Log(tryOutput("docker", "logs", "--tail", "20", id))
	}
}

// script runs one of the operator's scripts in the copy.
func (d *deployment) script(t testing.TB, file string, args ...string) string {
	t.Helper()
	return output(t, d.prepared(exec.CommandContext(alive, filepath.Join(d.dir, file), args...)))
}

func docker(t testing.TB, args ...string) string {
	t.Helper()
	return output(t, exec.Command("docker", args...))
}

func output(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", cmd.Args, err, out, errs.String())
	}
	return strings.TrimSpace(string(out))
}
