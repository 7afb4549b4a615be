//go:build compose

package compose_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCertificateRenewalNeedsNoRestart(t *testing.T) {
	d := running(t)
	l := begin(t)
	before := d.containers(t, "")
	names := append([]string{"vitaectl", "internal"}, scalable...)
	docker(t, append([]string{"exec", d.containers(t, "certs")[0].ID, "/vitae", "issuer", "renew", "/certs"}, names...)...)
	for _, service := range scalable {
		id := d.containers(t, service)[0].ID
		until(t, service+" uses its new certificate", func() bool {
			out, _ := dockerCommand("logs", id).CombinedOutput()
			return strings.Contains(string(out), "the certificate files have changed")
		})
	}
	l.nothingFailed(t)
	for i, c := range d.containers(t, "") {
		if c.State.Pid != before[i].State.Pid {
			t.Errorf("%s was restarted", c.Name)
		}
	}
}

// certificate writes a self-signed certificate for the names to a file, and returns a pool that trusts
// it.
func certificate(t testing.TB, file string, names ...string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), DNSNames: names, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	write(t, file, string(text)+string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER})))
	return pool
}

// secure sends a request to the TLS port with the host name of the URL. It trusts only the given
// certificates.
func secure(t testing.TB, trust *x509.CertPool, url string) (*http.Response, error) {
	t.Helper()
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, "127.0.0.1:8443")
	}
	c := &http.Client{
		Transport:     &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{RootCAs: trust}, ForceAttemptHTTP2: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Do(req)
	if err == nil {
		res.Body.Close()
	}
	return res, err
}

func TestProxyReloadsTLSCertificate(t *testing.T) {
	d := running(t)
	hosts := []string{"api.vitae.test", "app.vitae.test", "legacy.vitae.test", "console.vitae.test"}
	if err := os.MkdirAll(filepath.Join(d.dir, "secrets", "tls"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(d.dir, "secrets", "tls", "vitae.pem")
	trust := certificate(t, file, append(hosts, "other.vitae.test")...)
	d.vary(t, []string{"VITAE_API_HOST=" + hosts[0], "VITAE_APP_HOST=" + hosts[1], "VITAE_LEGACY_HOST=" + hosts[2], "VITAE_CONSOLE_HOST=" + hosts[3],
		"VITAE_TLS_PUBLISH=127.0.0.1", "VITAE_TLS_PORT=8443", "VITAE_REDIRECT_PORT=8000"}, "docker-compose.tls.yml")
	d.up(t)
	until(t, "the proxy listens", func() bool {
		_, err := secure(t, trust, "https://app.vitae.test/")
		return err == nil
	})
	want := map[string]int{
		"https://api.vitae.test/.well-known/oauth-authorization-server": 200, "https://app.vitae.test/": 200,
		"https://legacy.vitae.test/nothing": 404, "https://console.vitae.test/nothing": 404, "https://other.vitae.test/": 421,
	}
	for url, status := range want {
		res, err := secure(t, trust, url)
		if err != nil {
			t.Fatal(err)
		}
		if res.StatusCode != status || res.ProtoMajor != 2 {
			t.Errorf("%s: %s %s, want %d", url, res.Proto, res.Status, status)
		}
		if status == 200 && res.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("%s: no Strict-Transport-Security", url)
		}
	}
	renewed := certificate(t, file, hosts...)
	d.compose(t, "kill", "-s", "HUP", "proxy")
	until(t, "the proxy presents the new certificate", func() bool {
		_, err := secure(t, renewed, "https://app.vitae.test/")
		return err == nil
	})
}
