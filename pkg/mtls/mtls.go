package mtls

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"sync"
	"time"

	"google.golang.org/grpc/credentials"
)

const defaultRefresh = time.Minute

// Config holds the paths of the PEM files of a process's identity.
type Config struct {
	CAFile   string        `env:"VITAE_TLS_CA,required" help:"File (PEM) of the deployment's certificate authority; two while one replaces the other."`
	CertFile string        `env:"VITAE_TLS_CERT,required" help:"File (PEM) of the process's certificate. Its DNS name is the caller's name."`
	KeyFile  string        `env:"VITAE_TLS_KEY,required" help:"File (PEM) of the private key."`
	Refresh  time.Duration `env:"VITAE_TLS_REFRESH" envDefault:"1m" help:"Age after which the certificate files are read again when a connection is made."`
	// Log logs changed and unusable files. If it is nil, nothing is logged.
	Log *slog.Logger `env:"-"`
}

// Identity holds a process's certificate and the certificate authorities that it trusts. It is
// updated when the files change.
type Identity struct {
	config Config

	mu      sync.Mutex
	raw     files
	now     material
	read    time.Time
	failing bool
}

// Load returns an Identity with the files of c. It returns an error if they cannot be used.
func Load(c Config) (*Identity, error) {
	if c.CAFile == "" || c.CertFile == "" || c.KeyFile == "" {
		return nil, errors.New("mtls: the authority, the certificate and the key must be named")
	}
	if c.Refresh < 0 {
		return nil, errors.New("mtls: the refresh interval must not be negative")
	}
	if c.Refresh == 0 {
		c.Refresh = defaultRefresh
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	i := &Identity{config: c}
	if err := i.renew(); err != nil {
		return nil, err
	}
	return i, nil
}

// Server returns credentials for a listener that accepts only callers from the same deployment.
func (i *Identity) Server() credentials.TransportCredentials {
	return transport{func() *tls.Config {
		m := i.material()
		return &tls.Config{
			MinVersion:   tls.VersionTLS13,
			Certificates: []tls.Certificate{m.cert},
			ClientAuth:   tls.RequireAndVerifyClientCert,
			ClientCAs:    m.pool,
			// A resumed session would continue to use old certificates.
			SessionTicketsDisabled: true,
		}
	}}
}

// Client returns credentials for connections to the named service, at any network address.
func (i *Identity) Client(serverName string) credentials.TransportCredentials {
	return transport{func() *tls.Config {
		m := i.material()
		return &tls.Config{
			MinVersion:   tls.VersionTLS13,
			Certificates: []tls.Certificate{m.cert},
			RootCAs:      m.pool,
			ServerName:   serverName,
		}
	}}
}
