package mtls

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"slices"
	"time"
)

// files holds the contents of the files in a Config.
type files struct{ ca, cert, key []byte }

// material holds the parsed files.
type material struct {
	cert tls.Certificate
	// authorities lists the certificates in pool.
	authorities []*x509.Certificate
	pool        *x509.CertPool
}

// material returns the material for a new connection. It rereads the files if Config.Refresh has
// passed since the last time. This needs no background goroutine, and an idle process reads
// nothing.
func (i *Identity) material() material {
	i.mu.Lock()
	defer i.mu.Unlock()
	if time.Since(i.read) < i.config.Refresh {
		return i.now
	}
	switch err := i.renew(); {
	case err != nil && !i.failing:
		i.failing = true
		i.config.Log.Error("the certificate files cannot be used; the previous ones stay in use", "error", err,
			"valid_until", i.now.cert.Leaf.NotAfter)
	case err == nil:
		i.failing = false
	}
	return i.now
}

// Certificates returns the process's own certificate and the certificates of the authorities that
// new connections use.
func (i *Identity) Certificates() (own *x509.Certificate, authorities []*x509.Certificate) {
	m := i.material()
	return m.cert.Leaf, m.authorities
}

// renew rereads the files and uses them if all of them are valid. While the files are being
// replaced, one may be incomplete, or the certificate may not match its key.
func (i *Identity) renew() error {
	i.read = time.Now()
	raw, err := i.config.readFiles()
	if err != nil {
		return err
	}
	if raw.equal(i.raw) {
		return nil
	}
	m, err := raw.parse()
	if err != nil {
		return err
	}
	if i.raw.cert != nil {
		if err := m.replaces(i.now); err != nil {
			return err
		}
		i.config.Log.Info("the certificate files have changed", "valid_until", m.cert.Leaf.NotAfter)
	}
	i.raw, i.now = raw, m
	return nil
}

func (c Config) readFiles() (f files, err error) {
	for _, one := range []struct {
		name string
		into *[]byte
	}{{c.CAFile, &f.ca}, {c.CertFile, &f.cert}, {c.KeyFile, &f.key}} {
		if *one.into, err = os.ReadFile(one.name); err != nil {
			return f, fmt.Errorf("mtls: %w", err)
		}
	}
	return f, nil
}

func (f files) equal(other files) bool {
	return bytes.Equal(f.ca, other.ca) && bytes.Equal(f.cert, other.cert) && bytes.Equal(f.key, other.key)
}

func (f files) parse() (m material, err error) {
	if err := whole(f.cert); err != nil {
		return m, fmt.Errorf("mtls: certificate: %w", err)
	}
	if m.cert, err = tls.X509KeyPair(f.cert, f.key); err != nil {
		return m, fmt.Errorf("mtls: certificate: %w", err)
	}
	if err := whole(f.ca); err != nil {
		return m, fmt.Errorf("mtls: authority: %w", err)
	}
	m.pool = x509.NewCertPool()
	for block, rest := pem.Decode(f.ca); block != nil; block, rest = pem.Decode(rest) {
		if authority, err := x509.ParseCertificate(block.Bytes); err == nil && block.Type == "CERTIFICATE" {
			m.authorities = append(m.authorities, authority)
			m.pool.AddCert(authority)
		}
	}
	if len(m.authorities) == 0 {
		return m, fmt.Errorf("mtls: the authority file contains no certificate")
	}
	return m, nil
}

// replaces returns nil if m can replace the material in use, and otherwise an error with the
// reason. A renewed certificate has the same name, has not expired, and is signed by a trusted
// authority. Files that belong to a different service indicate a deployment mistake.
func (m material) replaces(now material) error {
	leaf := m.cert.Leaf
	if !slices.Equal(leaf.DNSNames, now.cert.Leaf.DNSNames) {
		return fmt.Errorf("mtls: the certificate names %q, not %q", leaf.DNSNames, now.cert.Leaf.DNSNames)
	}
	between := x509.NewCertPool()
	for _, raw := range m.cert.Certificate[1:] {
		if c, err := x509.ParseCertificate(raw); err == nil {
			between.AddCert(c)
		}
	}
	_, err := leaf.Verify(x509.VerifyOptions{
		Roots: m.pool, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	if err != nil {
		return fmt.Errorf("mtls: the certificate is not usable: %w", err)
	}
	return nil
}

// whole returns an error if the file ends within a certificate. The complete certificates in it
// would be usable, but callers that need the missing ones would be rejected.
func whole(file []byte) error {
	for {
		block, rest := pem.Decode(file)
		if block != nil {
			file = rest
			continue
		}
		if bytes.Contains(rest, []byte("-----BEGIN")) {
			return fmt.Errorf("the file ends within a certificate")
		}
		return nil
	}
}
