package redisx

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"sync"
	"time"
)

// keepAlive is the interval of TCP keep-alive probes, with which an idle connection detects that its
// server is gone.
const keepAlive = 30 * time.Second

// dialer creates connections for a Config.
type dialer struct {
	plain net.Dialer
	// secure reports whether the URL has the scheme rediss.
	secure bool
	// ca is the file with the trusted certificate authorities, or "" for the system's.
	ca string

	mu sync.Mutex
	// roots holds the certificate authorities read most recently, or nil for the system's.
	roots *x509.CertPool
}

// dialer returns the dialer for the URL. It returns an error if the URL and the CA file contradict
// each other, or if the CA file cannot be used.
func (c Config) dialer() (*dialer, error) {
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil, errors.New("redis: VITAE_REDIS_URL is invalid")
	}
	d := &dialer{secure: u.Scheme == "rediss", ca: c.CA, plain: net.Dialer{Timeout: dialTimeout, KeepAlive: keepAlive}}
	switch {
	case u.Query().Has("skip_verify"):
		return nil, errors.New("redis: skip_verify in VITAE_REDIS_URL is not supported: set the authority in VITAE_REDIS_CA")
	case c.CA == "":
		return d, nil
	case !d.secure:
		return nil, errors.New("redis: VITAE_REDIS_CA is set, but VITAE_REDIS_URL does not begin with rediss://")
	}
	d.roots, err = readRoots(c.CA)
	return d, err
}

func readRoots(file string) (*x509.CertPool, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("redis: VITAE_REDIS_CA: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(raw) {
		return nil, fmt.Errorf("redis: VITAE_REDIS_CA: %s has no certificate", file)
	}
	return roots, nil
}

// dial connects to a server. The server's certificate must contain the host in addr, which comes from
// the URL, a cluster or a Sentinel.
func (d *dialer) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if !d.secure {
		return d.plain.DialContext(ctx, network, addr)
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("redis: address %q: %w", addr, err)
	}
	over := tls.Dialer{NetDialer: &d.plain, Config: &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host, RootCAs: d.authorities()}}
	conn, err := over.DialContext(ctx, network, addr)
	if err != nil {
		return nil, d.explain(addr, err)
	}
	return conn, nil
}

// authorities rereads the file, so that the next connection trusts a new certificate authority. If
// the file cannot be used, it returns the authorities read before.
func (d *dialer) authorities() *x509.CertPool {
	if d.ca == "" {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if roots, err := readRoots(d.ca); err == nil {
		d.roots = roots
	}
	return d.roots
}

// explain adds the name of the wrong setting to a TLS error.
func (d *dialer) explain(addr string, err error) error {
	var (
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
	)
	switch {
	case errors.As(err, &unknown) && d.ca == "":
		return fmt.Errorf("redis: the certificate of %s is not signed by an authority of the system: set its authority in VITAE_REDIS_CA: %w", addr, err)
	case errors.As(err, &unknown):
		return fmt.Errorf("redis: no authority in VITAE_REDIS_CA (%s) has signed the certificate of %s: %w", d.ca, addr, err)
	case errors.As(err, &name):
		return fmt.Errorf("redis: the certificate of %s does not contain that address: %w", addr, err)
	}
	// This is also the error if Redis does not use TLS and therefore does not respond.
	return fmt.Errorf("redis: VITAE_REDIS_URL requires TLS, but there is no TLS connection to %s: %w", addr, err)
}
