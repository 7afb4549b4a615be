//go:build compose

package compose_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
)

// kill kills the first process of a container, to simulate a crash. After `docker kill`, the engine
// would treat the container as stopped on purpose.
func kill(t testing.TB, c container) {
	t.Helper()
	inside(t, fmt.Sprintf("kill -KILL %d", c.State.Pid), "--pid", "host", "--network", "none")
}

// unharmed lists services whose failure does not make requests fail: other services have their own
// copies of the certificates, and gateways work without Redis.
var unharmed = []string{"redis", "certs"}

func TestKilledContainersRestart(t *testing.T) {
	d := running(t)
	for _, service := range services {
		t.Run(service, func(t *testing.T) {
			revoked := d.revoked(t)
			l := begin(t)
			before := d.containers(t, service)[0]
			began := time.Now()
			kill(t, before)
			until(t, service+" is restarted", func() bool {
				all := d.containers(t, service)
				return len(all) == 1 && all[0].RestartCount > before.RestartCount
			})
			d.awaitHealthy(t, service, 1)
			t.Logf("healthy after %v", time.Since(began).Round(100*time.Millisecond))
			l.awaitRecovery(t, service, began)
			dead(t, revoked)
		})
	}
}

func TestPostgresAndRedisRestartUnderLoad(t *testing.T) {
	d := running(t)
	for _, service := range []string{"postgres", "redis"} {
		t.Run(service, func(t *testing.T) {
			revoked := d.revoked(t)
			l := begin(t)
			began := time.Now()
			d.compose(t, "restart", service)
			d.awaitHealthy(t, service, 1)
			l.awaitRecovery(t, service, began)
			dead(t, revoked)
		})
	}
}

// revoked returns an access token that was used successfully and then revoked.
func (d *deployment) revoked(t testing.TB) string {
	t.Helper()
	_, tokens := connect(t)
	if a := expect.Must(partner.Get(t.Context(), api+"/v1/me", tokens.Access))(t); a.Status != 200 {
		t.Fatal(a)
	}
	if a := expect.Must(d.partnerOf().Revoke(t.Context(), tokens.Access))(t); a.Status != 200 {
		t.Fatal(a)
	}
	dead(t, tokens.Access)
	return tokens.Access
}

func dead(t testing.TB, token string) {
	t.Helper()
	if a := expect.Must(partner.Get(t.Context(), api+"/v1/me", token))(t); a.Status != 401 {
		t.Errorf("a revoked token: %s", a)
	}
}

// awaitRecovery waits until requests succeed again after a service has failed. It checks that failed
// requests got a status that allows a retry, and that no acknowledged write is lost.
func (l *load) awaitRecovery(t testing.TB, service string, failedAt time.Time) {
	t.Helper()
	since, failures := l.counted()
	until(t, "requests succeed again", func() bool {
		now, failed := l.counted()
		if failed != failures {
			since, failures = now, failed
		}
		return now-since >= inARow
	})
	l.stop()
	last := time.Duration(0)
	for _, f := range l.failed {
		last = f.at.Sub(failedAt)
	}
	t.Logf("%s failed: %d requests, %d failed, the last %v later", service, l.requests, len(l.failed), last.Round(100*time.Millisecond))
	if slices.Contains(unharmed, service) {
		l.report(t)
	}
	for _, f := range l.failed {
		// If the proxy fails, clients get no response. If any other service fails, they must get one.
		if f.status != 503 && service != "proxy" {
			t.Error(f.text)
		}
	}
	l.checkWrites(t)
}

// demoJobs returns the jobs of all companies of a partner in the demo world, as returned by the API.
func (d *deployment) demoJobs(t testing.TB) string {
	t.Helper()
	key := d.world.APIKeys["dalil-employers"].Key
	var ids []string
	a := expect.Must(partner.Get(t.Context(), api+"/v1/companies?pageSize=100", key))(t)
	all, err := a.JSON()
	if err != nil || a.Status != 200 {
		t.Fatalf("%s: %v", a, err)
	}
	for _, c := range all["data"].([]any) {
		id := c.(map[string]any)["id"].(string)
		jobs := expect.Must(partner.Get(t.Context(), api+"/v1/companies/"+id+"/jobs?pageSize=100", key))(t)
		if jobs.Status != 200 {
			t.Fatal(jobs)
		}
		ids = append(ids, string(jobs.Body))
	}
	return strings.Join(ids, "\n")
}

func TestHostDNSOutageChangesNothing(t *testing.T) {
	running(t)
	var override strings.Builder
	override.WriteString("services:\n")
	for _, s := range append([]string{"vitaectl"}, services...) {
		if s != "certs" { // certs has no network
			fmt.Fprintf(&override, "  %s: {dns: 192.0.2.1}\n", s) // an unused address (RFC 5737)
		}
	}
	write(t, system.dir+"/blackhole.yml", override.String())
	system.vary(t, nil, "blackhole.yml")
	began := time.Now()
	d := running(t)
	t.Logf("healthy after %v", time.Since(began).Round(time.Second))
	began = time.Now()
	if got := d.vitaectl(t, "person", "find", "layla.haddad@demo.vitae.example"); !strings.Contains(got, "Layla Haddad") {
		t.Error(got)
	}
	t.Logf("vitaectl in a separate container: %v", time.Since(began).Round(100*time.Millisecond))
	l := begin(t)
	l.nothingFailed(t)
}

func TestDataSurvivesDownAndUp(t *testing.T) {
	d := running(t)
	jobs, resume := d.demoJobs(t), d.demoResume(t)
	d.compose(t, "down")
	d.up(t)
	if now := d.demoJobs(t); now != jobs {
		t.Errorf("jobs before: %s, now: %s", jobs, now)
	}
	if now := d.demoResume(t); !bytes.Equal(now, resume) || len(resume) == 0 {
		t.Errorf("the resume has %d bytes, want %d", len(now), len(resume))
	}
}

// demoResume returns an applicant's resume from the demo world, as downloaded by the partner.
func (d *deployment) demoResume(t testing.TB) []byte {
	t.Helper()
	key, id := d.world.APIKeys["rasheed-ats"].Key, d.world.Applications["khalid-analyst"].ID
	a := expect.Must(partner.Get(t.Context(), api+"/v1/candidates/"+id, key))(t)
	address, _ := expect.At(expect.Success(t, a), "resume", "downloadUrl").(string)
	file := expect.Must(partner.Get(t.Context(), address, ""))(t)
	if file.Status != 200 {
		t.Fatalf("%s: %s", address, file)
	}
	return file.Body
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
