package drill_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/shipped"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// drill breaks the stack in one way after another and watches the alerts.
type drill struct {
	*system
	people []scene.Connected
	fired  map[string]bool
	// before holds the alerts that were already firing before the current fault.
	before []map[string]string
}

// inject runs a subtest that breaks the stack in one way.
func (d *drill) inject(t *testing.T, how string, do func(*testing.T)) {
	t.Run(how, func(t *testing.T) {
		d.before = expect.Must(d.firing(t.Context()))(t)
		do(t)
	})
}

// awaitAlert waits until an alert with the given labels fires. The alert must not have been firing before the
// fault.
func (d *drill) awaitAlert(t *testing.T, alert string, labels ...string) {
	t.Helper()
	start, is := time.Now(), func(has map[string]string) bool { return has["alertname"] == alert && hasLabels(has, labels) }
	if slices.ContainsFunc(d.before, is) {
		t.Errorf("%s was firing before the fault", alert)
	}
	expect.Eventually(t, alert, func(ctx context.Context) error {
		all, err := d.firing(ctx)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(all, is) {
			return fmt.Errorf("%s is not firing: %v", alert, all)
		}
		return nil
	})
	d.fired[alert] = true
	t.Logf("%s fires with %v %v after the fault", alert, labels, time.Since(start).Round(time.Second))
}

// awaitAlertEnd waits until an alert that an earlier fault caused stops firing.
func (d *drill) awaitAlertEnd(t *testing.T, alert string) {
	t.Helper()
	expect.Eventually(t, alert+" stops firing", func(ctx context.Context) (err error) {
		if d.before, err = d.firing(ctx); err != nil {
			return err
		}
		if slices.ContainsFunc(d.before, func(has map[string]string) bool { return has["alertname"] == alert }) {
			return fmt.Errorf("firing: %v", d.before)
		}
		return nil
	})
}

func hasLabels(has map[string]string, labels []string) bool {
	for i := 0; i+1 < len(labels); i += 2 {
		if has[labels[i]] != labels[i+1] {
			return false
		}
	}
	return true
}

// keysCounted waits until auth has counted the keys that expire soon, which it does every five minutes.
func (d *drill) keysCounted(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	err := stack.Until(ctx, "auth has counted the keys that expire soon", func(ctx context.Context) error {
		ending, err := d.query(ctx, `vitae_credentials_ending{kind="api_key"} > 0`)
		if err == nil && len(ending) == 0 {
			err = errors.New("the count is zero")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// assertNoAlert asserts that no alert fires before the first fault.
func (d *drill) assertNoAlert(t *testing.T) {
	t.Helper()
	expect.Eventually(t, "targets", func(ctx context.Context) error {
		up, err := d.query(ctx, "up == 1")
		if err == nil && len(up) != 7 { // two gateways, four services, the machine
			err = fmt.Errorf("%d targets are up", len(up))
		}
		return err
	})
	// A service counts as missing before its first scrape.
	expect.Eventually(t, "no alert", func(ctx context.Context) error {
		all, err := d.firing(ctx)
		for _, labels := range all {
			// The machine's disks are not part of the stack, and the key that expires soon already
			// exists.
			if labels["alertname"] != "VitaeDiskFull" && labels["alertname"] != "VitaeCredentialsEnd" {
				err = errors.Join(err, fmt.Errorf("an alert is firing without a fault: %v", labels))
			}
		}
		return err
	})
}

func TestEveryAlertFires(t *testing.T) {
	d := &drill{system: startSystem(t), fired: map[string]bool{}}
	suite.System = d.Stack
	soon := world.APIKey{Ref: "ends", Name: "Ends soon", Scopes: world.CompanyScopes, ExpiresAt: time.Now().Add(72 * time.Hour).UTC().Format(time.RFC3339)}
	for i := range 5 {
		w := world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{world.OneDeveloper()}}
		if i == 0 {
			w.Developers[0].Apps[0].APIKeys = []world.APIKey{soon}
		}
		s := scene.Of(t, d.Stack, w)
		c := scene.Connected{Scene: s, App: s.Client(t, "web"), Person: s.NewPerson(t, "layla")}
		c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{})
		d.people = append(d.people, c)
	}
	d.assertNoAlert(t)
	d.inject(t, "a certificate authority is about to expire", d.expiringAuthority)
	d.inject(t, "a disk is full", d.fullDisk)
	d.inject(t, "responses are slow", d.slowResponses)
	d.inject(t, "an attacker writes to Redis", d.forgery)
	d.inject(t, "an attacker guesses passwords", d.guesses)
	d.inject(t, "Redis hangs", d.frozenRedis)
	d.inject(t, "a service hangs", d.frozenService)
	d.inject(t, "too many PDFs", d.manyPDFs)
	d.inject(t, "Chromium does not start", d.noBrowser)
	d.inject(t, "a table of candidate is locked", d.starvedPool)
	d.inject(t, "the mail server is missing", d.noMailServer)
	d.inject(t, "auth accepts no usage", d.waitingUsage)
	d.inject(t, "auth accepts no events", d.stuckOutbox)
	// auth may have counted since the key was created, so the alert may already be firing.
	t.Run("a key expires soon", func(t *testing.T) {
		d.before = nil
		d.keysCounted(t)
		d.awaitAlert(t, "VitaeCredentialsEnd", "kind", "api_key")
	})
	for _, alert := range shipped.Alerts(t) {
		if !d.fired[alert] {
			t.Errorf("no fault makes %s fire", alert)
		}
	}
	t.Run("dashboards", d.dashboards)
}

// readMe sends a partner's read to every replica.
func (d *drill) readMe(ctx context.Context) {
	c := d.people[0]
	for _, at := range c.Replicas(c.App) {
		_, _ = at.Get(ctx, "/v1/me", c.Tokens.Access) // the gateway counts the responses
	}
}

func (d *drill) expiringAuthority(t *testing.T) {
	key := expect.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	soon := x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Ends soon"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(10 * 24 * time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der := expect.Must(x509.CreateCertificate(rand.Reader, &soon, &soon, key.Public(), key))(t)
	file := expect.Must(os.OpenFile(d.TLSDir()+"/ca.pem", os.O_APPEND|os.O_WRONLY, 0o600))(t)
	defer file.Close()
	if err := pem.Encode(file, &pem.Block{Type: "CERTIFICATE", Bytes: der}); err != nil {
		t.Fatal(err)
	}
	d.awaitAlert(t, "VitaeCertificateExpires", "kind", "authority", "name", "Ends soon")
	d.awaitAlert(t, "VitaeAuthoritiesDiffer")
}

func (d *drill) fullDisk(t *testing.T) {
	at := d.dir + "/disk"
	if err := os.Mkdir(at, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("vitae", at, "tmpfs", 0, "size=1m"); err != nil {
		t.Fatalf("mount a small disk (requires root): %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(at, syscall.MNT_DETACH) })
	write(t, at+"/file", string(make([]byte, 1000<<10)))
	d.awaitAlert(t, "VitaeDiskFull", "mountpoint", at)
}

func (d *drill) forgery(t *testing.T) {
	defer repeatedly(t, 2, d.readMe)()
	rdb := redis.NewClient(expect.Must(redis.ParseURL(d.redis.URL()))(t))
	defer rdb.Close()
	c := d.people[0]
	record, _ := sessionrecord.Ref{AccountID: c.Created.Developers["dev"].ID, Hash: sha256.Sum256([]byte(c.Tokens.Access))}.Keys()
	stop := repeatedly(t, 1, func(ctx context.Context) {
		if sealed := rdb.HGet(ctx, record, "record").Val(); sealed != "" {
			rdb.HSet(ctx, record, "record", sealed[:len(sealed)-1]+string([]byte{sealed[len(sealed)-1] ^ 1})) // changes the last byte of the seal
		}
	})
	defer stop()
	d.awaitAlert(t, "VitaeSessionRecordForged", "failed", "signature")
}

func (d *drill) guesses(t *testing.T) {
	note := expect.Must(d.Note())(t)
	sessions := authv1.NewSessionServiceClient(suite.Dial(t, d.Stack, note.GRPC.Auth, "auth", "gateway"))
	stop := repeatedly(t, 4, func(ctx context.Context) {
		_, _ = sessions.SignIn(ctx, &authv1.SignInRequest{Email: d.people[1].World.People[0].Email, Password: "wrong", ClientIp: "192.0.2.1"})
	})
	defer stop()
	d.awaitAlert(t, "VitaePasswordsGuessed")
}

func (d *drill) frozenRedis(t *testing.T) {
	defer repeatedly(t, 2, d.readMe)()
	if err := d.redis.Freeze(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.redis.Thaw() }()
	d.awaitAlert(t, "VitaeQuotaStoreOut")
	c := d.people[1]
	if a := expect.Must(c.App.Revoke(t.Context(), c.Tokens.Refresh))(t); a.Status != 200 {
		t.Errorf("revoke: %s", a)
	}
	d.awaitAlert(t, "VitaeRevocationsSlow")
}

// slowResponses suspends the candidate service most of the time, but never for so long that a call fails. A
// client waits longer between two requests than the service runs.
func (d *drill) slowResponses(t *testing.T) {
	defer repeatedly(t, 8, func(ctx context.Context) {
		d.readMe(ctx)
		pause := time.NewTimer(200 * time.Millisecond)
		<-pause.C
	})()
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer func() { cancel(); <-done }()
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			thaw := d.freeze(t, "candidate")
			suspended := time.NewTimer(800 * time.Millisecond)
			<-suspended.C
			thaw()
			run := time.NewTimer(100 * time.Millisecond)
			<-run.C
		}
	}()
	d.awaitAlert(t, "VitaeLatencyBurnFast")
	d.awaitAlert(t, "VitaeLatencyBurnSlow")
}

func (d *drill) manyPDFs(t *testing.T) {
	defer d.everybody(t, 2, "/v1/me/cv.pdf")()
	d.awaitAlert(t, "VitaeRendererBusy")
}

// everybody reads a path repeatedly as several people, until stop is called.
func (d *drill) everybody(t *testing.T, atOnce int, path string) (stop func()) {
	var stops []func()
	for _, c := range d.people[2:] {
		stops = append(stops, repeatedly(t, atOnce, func(ctx context.Context) { _, _ = c.App.Get(ctx, path, c.Tokens.Access) }))
	}
	return func() {
		for _, stop := range stops {
			stop()
		}
	}
}

func (d *drill) noBrowser(t *testing.T) {
	write(t, d.noChromium, "")
	defer func() { _ = os.Remove(d.noChromium) }()
	d.killChromium(t)
	d.awaitAlert(t, "VitaeRendererBroken")
}

// starvedPool runs after the fault in which the service hangs, which may also have starved its pool.
func (d *drill) starvedPool(t *testing.T) {
	d.awaitAlertEnd(t, "VitaePostgresPoolStarved")
	defer d.lock(t, "candidate", "profiles")()
	defer d.everybody(t, 8, "/v1/me")()
	d.awaitAlert(t, "VitaePostgresPoolStarved", "part", "candidate")
}

func (d *drill) frozenService(t *testing.T) {
	defer d.freeze(t, "candidate")()
	defer repeatedly(t, 8, d.readMe)()
	d.awaitAlert(t, "VitaePartDown", "job", "candidate")
	d.awaitAlert(t, "VitaePartUnreachable", "service", "candidate")
	d.awaitAlert(t, "VitaeErrorsBurnFast", "listener", "edge")
	d.awaitAlert(t, "VitaeErrorsBurnSlow", "listener", "edge")
}

// waitingUsage locks the request log while credentials still work.
func (d *drill) waitingUsage(t *testing.T) {
	defer d.lock(t, "auth", "request_log")()
	defer repeatedly(t, 4, d.readMe)()
	d.awaitAlert(t, "VitaeUsageWaits")
}

func (d *drill) stuckOutbox(t *testing.T) {
	defer d.freeze(t, "auth")()
	_, err := d.database(t, "candidate").Exec(t.Context(), `INSERT INTO audit_outbox (id, at, event) VALUES ('evt_drill', now() - interval '1 hour', '{}')`)
	if err != nil {
		t.Fatal(err)
	}
	d.awaitAlert(t, "VitaeOutboxStuck", "outbox", "candidate_audit")
}

// noMailServer requests a password reset, which sends an email.
func (d *drill) noMailServer(t *testing.T) {
	visitor := person.New("", "")
	at := expect.Must(visitor.Open(t.Context(), d.AppURLs[0]+"/reset"))(t)
	button := expect.Must(at.Page.One("button", "Send link"))(t)
	form := expect.Must(at.Page.FormOf(button))(t)
	form.Fill(expect.Must(at.Page.One("textbox", person.Email))(t), d.people[0].World.People[0].Email)
	expect.Must(visitor.Press(t.Context(), form, button))(t)
	d.awaitAlert(t, "VitaeMailUnusable")
}

// dashboards asserts that every query returns data from the drill.
func (d *drill) dashboards(t *testing.T) {
	defer repeatedly(t, 1, d.readMe)()
	defer repeatedly(t, 1, func(ctx context.Context) { _, _ = d.people[2].App.Get(ctx, "/v1/me/cv.pdf", d.people[2].Tokens.Access) })()
	empty := shipped.Queries(t)
	expect.Eventually(t, "data for every query", func(ctx context.Context) (err error) {
		empty = slices.DeleteFunc(empty, func(q shipped.Query) bool {
			if q.Panel == shipped.Deployments { // has data only while a version is new
				return true
			}
			fault := d.hasData(ctx, q)
			err = errors.Join(err, fault)
			return fault == nil
		})
		return err
	})
}

// hasData returns an error unless a query returns a series with a number.
func (d *drill) hasData(ctx context.Context, q shipped.Query) error {
	samples, err := d.query(ctx, q.Filled())
	if err != nil {
		return err
	}
	for _, s := range samples {
		if _, is := s.number(); is {
			return nil
		}
	}
	return fmt.Errorf("%s, %q: no data for %s", q.Dashboard, q.Panel, q.Expr)
}
