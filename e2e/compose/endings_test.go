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

// killed kills the first process of a container, as in a crash. With `docker kill`, the engine
// would treat the container as stopped on purpose.
func killed(t testing.TB, c container) {
	t.Helper()
	inside(t, fmt.Sprintf("kill -KILL %d", c.State.Pid), "--pid", "host", "--network", "none")
}

// unharmed are the services whose end causes no failed requests: certificates are on disks, and
// gateways work without Redis.
var unharmed = []string{"redis", "certs"}

func TestKilledContainersRestart(t *testing.T) {
	d := running(t)
	for _, service := range services {
		t.Run(service, func(t *testing.T) {
			revoked := d.revoked(t)
			l := begin(t)
			before := d.containers(t, service)[0]
			began := time.Now()
			killed(t, before)
			until(t, service+" has been started again", func() bool {
				all := d.containers(t, service)
				return len(all) == 1 && all[0].RestartCount > before.RestartCount
			})
			d.awaitHealthy(t, service, 1)
			t.Logf("healthy after %v", time.Since(began).Round(100*time.Millisecond))
			l.works(t, service, began)
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
			l.works(t, service, began)
			dead(t, revoked)
		})
	}
}

// revoked is an access token that worked and was then revoked.
func (d *deployment) revoked(t testing.TB) string {
	t.Helper()
	_, tokens := connected(t)
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

// works waits until requests no longer fail after a service ended. It checks that failed requests
// were refused with a status that invites a retry, and that acknowledged writes are there.
func (l *load) works(t testing.TB, service string, ended time.Time) {
	t.Helper()
	since, failures := l.counted()
	until(t, "requests succeed, many after each other", func() bool {
		now, failed := l.counted()
		if failed != failures {
			since, failures = now, failed
		}
		return now-since >= inARow
	})
	l.stop()
	last := time.Duration(0)
	for _, f := range l.failed {
		last = f.at.Sub(ended)
	}
	t.Logf("%s ended: %d requests, %d failed, the last one %v after it", service, l.asked, len(l.failed), last.Round(100*time.Millisecond))
	if slices.Contains(unharmed, service) {
		l.report(t)
	}
	for _, f := range l.failed {
		// A proxy that ends answers nobody; when another service ends, every client gets an answer.
		if f.status != 503 && service != "proxy" {
			t.Error(f.text)
		}
	}
	l.kept(t)
}

// jobsOfTheDemo returns the API's view of the jobs of the demo partner's first company.
func (d *deployment) jobsOfTheDemo(t testing.TB) string {
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
		if s != "certs" { // has no network
			fmt.Fprintf(&override, "  %s: {dns: 192.0.2.1}\n", s) // RFC 5737: nobody's
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
	t.Logf("vitaectl in a container of its own: %v", time.Since(began).Round(100*time.Millisecond))
	l := begin(t)
	l.nothingFailed(t)
}

func TestResumesAndRowsAreKeptOverDownAndUp(t *testing.T) {
	d := running(t)
	kept, first := d.jobsOfTheDemo(t), d.resumeOfTheDemo(t)
	d.compose(t, "down")
	d.up(t)
	if now := d.jobsOfTheDemo(t); now != kept {
		t.Errorf("jobs before: %s, now: %s", kept, now)
	}
	if now := d.resumeOfTheDemo(t); !bytes.Equal(now, first) || len(first) == 0 {
		t.Errorf("the resume has %d bytes, had %d", len(now), len(first))
	}
}

// resumeOfTheDemo is the file that an applicant of the demo world has uploaded, as the
// partner downloads it.
func (d *deployment) resumeOfTheDemo(t testing.TB) []byte {
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
