package issuer

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vitae.internal/pkg/mtls"
)

// Settings configures the lifetimes of certificates.
type Settings struct {
	// Life is the lifetime of a service's certificate.
	Life time.Duration `env:"VITAE_CERTIFICATE_LIFE" envDefault:"2160h"`
	// AuthorityLife is the lifetime of the certificate authority.
	AuthorityLife time.Duration `env:"VITAE_AUTHORITY_LIFE" envDefault:"43800h"`
	// Overlap is the time between two steps of an authority replacement. By the end of this time, every service has
	// applied the previous step.
	Overlap time.Duration `env:"VITAE_AUTHORITY_OVERLAP" envDefault:"24h"`
	// Every is the time between checks.
	Every time.Duration `env:"VITAE_CERTIFICATE_EVERY" envDefault:"1h"`
}

// Issuer creates and renews the certificates in a folder.
type Issuer struct {
	settings Settings
	dir      string
	names    []string
	now      func() time.Time
}

// New returns an Issuer for the named services, with files in dir.
func New(s Settings, dir string, names []string, now func() time.Time) (*Issuer, error) {
	if s.Life <= 0 || s.AuthorityLife < 3*s.Overlap || s.Overlap <= 0 || s.Every <= 0 {
		return nil, errors.New("issuer: every duration must be positive, and the authority's lifetime at least three times the overlap")
	}
	if dir == "" || len(names) == 0 || now == nil {
		return nil, errors.New("issuer: a folder, names and a clock are required")
	}
	for _, name := range names {
		if !mtls.ValidName(name) || strings.Contains(name, "/") {
			return nil, fmt.Errorf("issuer: %q is not a valid service name", name)
		}
	}
	return &Issuer{settings: s, dir: dir, names: names, now: now}, nil
}

// Files returns the paths of a service's files in dir.
func Files(dir, name string) mtls.Config {
	at := func(file string) string { return filepath.Join(dir, name, file) }
	return mtls.Config{CAFile: at("ca.pem"), CertFile: at("cert.pem"), KeyFile: at("key.pem")}
}

// Keep creates missing certificates and renews certificates that are due. It is idempotent.
func (i *Issuer) Keep() error { return i.keep(false) }

// Renew renews the certificate of every service.
func (i *Issuer) Renew() error { return i.keep(true) }

func (i *Issuer) keep(all bool) error {
	a, err := i.authorities()
	if err != nil {
		return err
	}
	// The trusted authorities are updated first, so that no service presents a certificate that others do not trust yet.
	for _, name := range i.names {
		if err := replace(Files(i.dir, name).CAFile, a.trusted(), 0o644); err != nil {
			return err
		}
	}
	youngest := time.Time{}
	for _, name := range i.names {
		issued, err := i.part(name, a.current, all)
		if err != nil {
			return fmt.Errorf("issuer: %s: %w", name, err)
		}
		if issued.After(youngest) {
			youngest = issued
		}
	}
	return i.forget(a, youngest)
}

// Check returns an error if a service has no valid certificate.
func (i *Issuer) Check() error {
	for _, name := range i.names {
		identity, err := mtls.Load(Files(i.dir, name))
		if err != nil {
			return fmt.Errorf("issuer: %s: %w", name, err)
		}
		if own, _ := identity.Certificates(); !i.now().Before(own.NotAfter) {
			return fmt.Errorf("issuer: the certificate of %s has expired", name)
		}
	}
	return nil
}

// replace replaces a file atomically.
func replace(file string, contents []byte, mode fs.FileMode) error {
	if there, err := os.ReadFile(file); err == nil && bytes.Equal(there, contents) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	next, err := os.CreateTemp(filepath.Dir(file), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(next.Name()) // fails without effect after the rename
	_, err = next.Write(contents)
	if err = errors.Join(err, next.Chmod(mode), next.Sync(), next.Close()); err != nil {
		return err
	}
	return os.Rename(next.Name(), file)
}
