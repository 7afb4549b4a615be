package issuer_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc/credentials"

	"vitae.internal/deploy/standalone/internal/issuer"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/mtls"
)

const day = 24 * time.Hour

var settings = issuer.Settings{Life: 90 * day, AuthorityLife: 900 * day, Overlap: day, Every: time.Hour}

type deployment struct {
	*testing.T
	*issuer.Issuer
	dir   string
	clock *clock.Fake
}

func newDeployment(t *testing.T) *deployment {
	t.Helper()
	d := &deployment{T: t, dir: t.TempDir(), clock: clock.NewFake(time.Now())}
	var err error
	if d.Issuer, err = issuer.New(settings, d.dir, []string{"auth", "gateway"}, d.clock.Now); err != nil {
		t.Fatal(err)
	}
	d.keep()
	return d
}

func (d *deployment) keep() {
	d.Helper()
	if err := d.Keep(); err != nil {
		d.Fatal(err)
	}
	if err := d.Check(); err != nil {
		d.Fatal(err)
	}
}

func (d *deployment) read(name string) []byte {
	d.Helper()
	text, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		d.Fatal(err)
	}
	return text
}

// verify checks a service's certificate at the clock's time, against the authorities that another service trusts.
func (d *deployment) verify(name, trusting string) error {
	d.Helper()
	return d.verifyWith(d.read(name+"/cert.pem"), d.read(trusting+"/ca.pem"))
}

func (d *deployment) verifyWith(cert, trusted []byte) error {
	d.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(trusted) {
		d.Fatal("no authority")
	}
	c := d.parse(cert)
	_, err := c.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: d.clock.Now(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	return err
}

func TestIssuedCertificatesAreAccepted(t *testing.T) {
	d := newDeployment(t)
	load := func(name string) *mtls.Identity {
		identity, err := mtls.Load(issuer.Files(d.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return identity
	}
	client, server := net.Pipe()
	seen := make(chan error, 1)
	go func() {
		_, info, err := load("auth").Server().ServerHandshake(server)
		if err == nil {
			if got := mtls.CallerName(info.(credentials.TLSInfo).State.PeerCertificates[0]); got != "gateway" {
				t.Errorf("the caller's name is %q, want gateway", got)
			}
		}
		seen <- err
	}()
	if _, _, err := load("gateway").Client("auth").ClientHandshake(context.Background(), "auth", client); err != nil {
		t.Fatal(err)
	}
	if err := <-seen; err != nil {
		t.Fatal(err)
	}
}

func TestServicesHaveOnlyTheirOwnKey(t *testing.T) {
	d := newDeployment(t)
	files, err := os.ReadDir(filepath.Join(d.dir, "auth"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		switch f.Name() {
		case "ca.pem", "cert.pem":
		case "key.pem":
			if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the key: %v, %v", info.Mode(), err)
			}
		default:
			t.Errorf("auth has %s", f.Name())
		}
	}
	if bytes.Contains(d.read("auth/ca.pem"), []byte("KEY")) || bytes.Equal(d.read("auth/key.pem"), d.read("gateway/key.pem")) {
		t.Error("a service can read the key of another service or of the authority")
	}
}

func TestCertificatesRenewAtTwoThirdsOfLife(t *testing.T) {
	d := newDeployment(t)
	first := d.read("auth/cert.pem")
	d.clock.Advance(60*day - time.Hour)
	d.keep()
	if !bytes.Equal(d.read("auth/cert.pem"), first) {
		t.Error("renewed too early")
	}
	d.clock.Advance(2 * time.Hour)
	d.keep()
	if bytes.Equal(d.read("auth/cert.pem"), first) {
		t.Error("not renewed")
	}
	if err := d.Renew(); err != nil {
		t.Fatal(err)
	}
	if err := d.verify("auth", "gateway"); err != nil {
		t.Error(err)
	}
}

// The services reload their files at different times during the overlap. Throughout, each service must accept the
// certificates that the others present.
func TestAuthorityReplacementBreaksNoCalls(t *testing.T) {
	d := newDeployment(t)
	authority := d.read("authority/current.pem")
	before := map[string][]byte{"auth": d.read("auth/cert.pem"), "gateway": d.read("gateway/ca.pem")}
	replaced := false
	for range 900 / 2 {
		d.clock.Advance(2 * day)
		d.keep()
		after := map[string][]byte{"auth": d.read("auth/cert.pem"), "gateway": d.read("gateway/ca.pem")}
		for _, cert := range []map[string][]byte{before, after} {
			for _, trusted := range []map[string][]byte{before, after} {
				if err := d.verifyWith(cert["auth"], trusted["gateway"]); err != nil && d.clock.Now().Before(d.parse(cert["auth"]).NotAfter) {
					t.Fatalf("after %v: %v", d.clock.Now(), err)
				}
			}
		}
		before = after
		replaced = replaced || !bytes.Equal(d.read("authority/current.pem"), authority)
	}
	if !replaced {
		t.Error("the authority was never replaced")
	}
	if n := bytes.Count(d.read("auth/ca.pem"), []byte("BEGIN CERTIFICATE")); n != 1 {
		t.Errorf("%d authorities are trusted in the end, want 1", n)
	}
}

func (d *deployment) parse(text []byte) *x509.Certificate {
	d.Helper()
	block, _ := pem.Decode(text)
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		d.Fatal(err)
	}
	return c
}
