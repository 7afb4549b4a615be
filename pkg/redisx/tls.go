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

// keepAlive notices a server that is gone from a connection on which nothing is asked.
const keepAlive = 30 * time.Second

// dialer makes connections of one Config.
type dialer struct {
	plain net.Dialer
	// secure says that the URL is rediss://.
	secure bool
	// ca is the file of the authorities; empty stands for those of the system.
	ca string

	mu sync.Mutex
	// roots are those that were read last; nil stands for those of the system.
	roots *x509.CertPool
}

// dialer is the one for the URL. It fails if the URL and the file of the authorities do
// not fit, or if the file cannot be used.
func (c Config) dialer() (*dialer, error) {
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil, errors.New("redis: VITAE_REDIS_URL cannot be read")
	}
	d := &dialer{secure: u.Scheme == "rediss", ca: c.CA, plain: net.Dialer{Timeout: dialTimeout, KeepAlive: keepAlive}}
	switch {
	case u.Query().Has("skip_verify"):
		return nil, errors.New("redis: VITAE_REDIS_URL has skip_verify, which is not taken: name the authority in VITAE_REDIS_CA")
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

// dial connects to a server. Its certificate must name the host of the address that is
// dialled: that of the URL, or the one that a cluster or a Sentinel has told.
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

// authorities reads the file anew, so that a new authority is believed from the next
// connection on. If it cannot be read now, those that were read last stay.
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

// explain says which setting is wrong.
func (d *dialer) explain(addr string, err error) error {
	var (
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
	)
	switch {
	case errors.As(err, &unknown) && d.ca == "":
		return fmt.Errorf("redis: no authority of the system has signed the certificate of %s: name its own in VITAE_REDIS_CA: %w", addr, err)
	case errors.As(err, &unknown):
		return fmt.Errorf("redis: no authority in VITAE_REDIS_CA (%s) has signed the certificate of %s: %w", d.ca, addr, err)
	case errors.As(err, &name):
		return fmt.Errorf("redis: the certificate of %s does not name that address: %w", addr, err)
	}
	// A Redis that does not speak TLS says nothing.
	return fmt.Errorf("redis: no connection by TLS, which VITAE_REDIS_URL asks for, with %s: %w", addr, err)
}
