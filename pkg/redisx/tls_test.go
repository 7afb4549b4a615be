package redisx_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/backing/backingtest"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/redisacl"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
)

type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string // file with the authority's certificate
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{file: filepath.Join(t.TempDir(), "ca.pem")}
	template := &x509.Certificate{Subject: pkix.Name{CommonName: "Redis CA"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	raw, key := a.sign(t, template)
	a.key = key
	var err error
	if a.cert, err = x509.ParseCertificate(raw); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

// sign signs a certificate with a new key. If the authority has no certificate yet, the certificate is
// self-signed.
func (a *authority) sign(t *testing.T, template *x509.Certificate) ([]byte, *ecdsa.PrivateKey) {
	t.Helper()
	template.SerialNumber, template.NotBefore, template.NotAfter = big.NewInt(time.Now().UnixNano()), time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	parent, parentKey := template, key
	if a.cert != nil {
		parent, parentKey = a.cert, a.key
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, parentKey)
	if err != nil {
		t.Fatal(err)
	}
	return raw, key
}

// issue returns a certificate for DNS names and IP addresses.
func (a *authority) issue(t *testing.T, names []string, addresses ...net.IP) *backingtest.Certificate {
	t.Helper()
	raw, key := a.sign(t, &x509.Certificate{DNSNames: names, IPAddresses: addresses, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return &backingtest.Certificate{
		Cert: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), Key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}),
	}
}

// ask opens a client and runs a command on a key that the auth user may read.
func ask(t *testing.T, c redisx.Config) error {
	t.Helper()
	client, err := redisx.Open(c)
	if err != nil {
		return err
	}
	defer client.Close()
	return client.Exists(t.Context(), allowed).Err()
}

// allowed is a key that the auth user may read.
var allowed = "{" + id.New("dev") + "}:gen"

func says(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("got error %v, want one that contains %q", err, w)
		}
	}
}

func TestCertificateIsVerified(t *testing.T) {
	ours, other := newAuthority(t), newAuthority(t)
	server := testkit.TLSRedis(t, ours.issue(t, []string{"localhost"}))
	named := redisx.Config{URL: server.TLSURLOf(redisacl.Auth, "localhost"), CA: ours.file}
	if err := ask(t, named); err != nil {
		t.Fatal(err)
	}
	wrong := named
	wrong.CA = other.file
	says(t, ask(t, wrong), "VITAE_REDIS_CA", other.file, "localhost:")
	system := named
	system.CA = ""
	says(t, ask(t, system), "VITAE_REDIS_CA", "authority of the system")
	elsewhere := named
	elsewhere.URL = server.TLSURLOf(redisacl.Auth, "127.0.0.1")
	says(t, ask(t, elsewhere), "127.0.0.1:", "does not contain that address")
	plain := named
	plain.URL = strings.Replace(server.URLOf(redisacl.Auth), "redis://", "rediss://", 1)
	says(t, ask(t, plain), "no TLS connection", "127.0.0.1:")
}

// A Sentinel's certificate is verified too. The server in this test is not a Sentinel, so only TLS errors
// matter.
func TestSentinelCertificateIsVerified(t *testing.T) {
	ours, other := newAuthority(t), newAuthority(t)
	server := testkit.TLSRedis(t, ours.issue(t, []string{"localhost"}))
	c := redisx.Config{URL: server.TLSURLOf(redisacl.Default, "localhost") + "?master_name=vitae", CA: other.file, Sentinel: true}
	c.URL = strings.Replace(c.URL, "default:", ":", 1)
	says(t, ask(t, c), "VITAE_REDIS_CA", other.file)
	c.CA = ours.file
	if err := ask(t, c); err == nil || strings.Contains(err.Error(), "VITAE_REDIS_CA") {
		t.Errorf("got error %v, want one without VITAE_REDIS_CA", err)
	}
}

func TestClusterNodeCertificateIsVerified(t *testing.T) {
	ours, other := newAuthority(t), newAuthority(t)
	server := testkit.TLSRedis(t, ours.issue(t, []string{"localhost"}))
	c := redisx.Config{URL: server.TLSURLOf(redisacl.Auth, "localhost"), CA: other.file, Cluster: true}
	c.URL = strings.TrimSuffix(c.URL, "/0")
	says(t, ask(t, c), "VITAE_REDIS_CA", other.file)
	c.CA = ours.file
	says(t, ask(t, c), "cluster support disabled")
}

func TestNewAuthorityIsTrusted(t *testing.T) {
	ours, next := newAuthority(t), newAuthority(t)
	server := testkit.TLSRedis(t, next.issue(t, []string{"localhost"}))
	client, err := redisx.Open(redisx.Config{URL: server.TLSURLOf(redisacl.Auth, "localhost"), CA: ours.file})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	exists := func() error { return client.Exists(t.Context(), allowed).Err() }
	says(t, exists(), "VITAE_REDIS_CA")
	raw, err := os.ReadFile(next.file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ours.file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := exists(); err != nil {
		t.Errorf("after the authority was replaced: %v", err)
	}
	if err := os.Remove(ours.file); err != nil {
		t.Fatal(err)
	}
	if err := exists(); err != nil {
		t.Errorf("after the file, which was read before, was removed: %v", err)
	}
}

func TestInconsistentTLSSettingsAreRejected(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ca := newAuthority(t).file
	for what, c := range map[string]redisx.Config{
		"VITAE_REDIS_CA is set":          {URL: "redis://localhost/0", CA: ca},
		"has no certificate":             {URL: "rediss://localhost/0", CA: empty},
		"VITAE_REDIS_CA: open":           {URL: "rediss://localhost/0", CA: empty + ".not"},
		"skip_verify":                    {URL: "rediss://localhost/0?skip_verify=true"},
		"VITAE_REDIS_URL does not begin": {URL: "redis://localhost?master_name=x", CA: ca, Sentinel: true},
		"skip_verify in VITAE_REDIS_URL": {URL: "rediss://localhost?skip_verify=true", Cluster: true},
	} {
		_, err := redisx.Open(c)
		says(t, err, what)
	}
}
