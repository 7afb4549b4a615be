// Package mtls is how the parts know each other: every process has a
// certificate whose DNS name is its caller name ("gateway", "auth", …), signed by
// the deployment's own authority, and accepts no connection without one.
package mtls

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
)

// Config names the files of a process's identity (PEM).
type Config struct {
	// CAFile holds the certificate of the authority that signs every part.
	CAFile string `env:"VITAE_TLS_CA,required"`
	// CertFile holds the process's own certificate.
	CertFile string `env:"VITAE_TLS_CERT,required"`
	// KeyFile holds its private key.
	KeyFile string `env:"VITAE_TLS_KEY,required"`
}

// Identity is a loaded certificate with the authority it is checked against.
type Identity struct {
	cert tls.Certificate
	pool *x509.CertPool
}

// Load reads the files of c.
func Load(c Config) (*Identity, error) {
	cert, err := tls.LoadX509KeyPair(c.CertFile, c.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("mtls: certificate: %w", err)
	}
	ca, err := os.ReadFile(c.CAFile)
	if err != nil {
		return nil, fmt.Errorf("mtls: authority: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, errors.New("mtls: the authority file holds no certificate")
	}
	return &Identity{cert: cert, pool: pool}, nil
}

// Server is the TLS configuration of a listener that takes only callers of the
// same deployment.
func (i *Identity) Server() *tls.Config {
	return &tls.Config{
		MinVersion:   tls.VersionTLS13,
		Certificates: []tls.Certificate{i.cert},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    i.pool,
	}
}

// Client is the TLS configuration of a caller of the named part. The name is
// the part's, whatever address it is reached at.
func (i *Identity) Client(serverName string) *tls.Config {
	return &tls.Config{
		MinVersion:   tls.VersionTLS13,
		Certificates: []tls.Certificate{i.cert},
		RootCAs:      i.pool,
		ServerName:   serverName,
	}
}
