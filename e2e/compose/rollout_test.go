//go:build compose

package compose_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// otherCommit returns the parent of the last commit that changed a program, or E2E_OTHER_COMMIT.
func otherCommit(t testing.TB) string {
	t.Helper()
	if given := os.Getenv("E2E_OTHER_COMMIT"); given != "" {
		return given
	}
	git := exec.Command("git", "-C", repository, "rev-list", "--max-count=1", "HEAD", "--", "gateway", "pkg", "services")
	return output(t, git) + "^"
}

func TestRolloutAndRollbackFailNoRequest(t *testing.T) {
	d := running(t)
	commit := otherCommit(t)
	built, err := newDeployment(other, commit)
	if err != nil {
		t.Fatal(err)
	}
	built.build(t)
	t.Cleanup(func() { d.version = ours })
	l := begin(t)
	for _, version := range []string{other, ours} {
		d.version = version
		t.Log(d.script(t, "deploy/docker/rollout.sh", scalable...))
		for _, service := range scalable {
			for _, c := range d.containers(t, service) {
				if got := docker(t, "inspect", "--format", "{{.Config.Image}}", c.ID); !strings.HasSuffix(got, "/"+service+":"+version) {
					t.Errorf("%s runs %s, not version %s", service, got, version)
				}
			}
		}
		l.awaitMore(t)
	}
	l.nothingFailed(t)
}

func TestFailedRolloutIsRolledBack(t *testing.T) {
	d := running(t)
	l := begin(t)
	// The gateway rejects this setting.
	write(t, d.dir+"/broken.yml", "services: {gateway: {environment: {VITAE_DRAIN_PAUSE: never}}}\n")
	cmd := exec.Command(filepath.Join(d.dir, "deploy/docker/rollout.sh"), "gateway")
	cmd.Dir = d.dir
	cmd.Env = append(d.environ(), "VITAE_ROLLOUT_PATIENCE=20", "COMPOSE_FILE=docker-compose.yml:broken.yml")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "VITAE_DRAIN_PAUSE") {
		t.Errorf("%v: %s", err, out)
	}
	d.awaitHealthy(t, "gateway", 1)
	l.nothingFailed(t)
}
