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

// Settings are the lives of what an issuer makes.
type Settings struct {
	// Life is that of a part's certificate.
	Life time.Duration `env:"VITAE_CERTIFICATE_LIFE" envDefault:"2160h"`
	// AuthorityLife is that of the authority.
	AuthorityLife time.Duration `env:"VITAE_AUTHORITY_LIFE" envDefault:"43800h"`
	// Overlap is how long a step of a replacement of the authority waits for every part
	// to have taken the one before.
	Overlap time.Duration `env:"VITAE_AUTHORITY_OVERLAP" envDefault:"24h"`
	// Every is the time between two looks.
	Every time.Duration `env:"VITAE_CERTIFICATE_EVERY" envDefault:"1h"`
}

// Issuer keeps the certificates below a folder.
type Issuer struct {
	settings Settings
	dir      string
	names    []string
	now      func() time.Time
}

// New gives an issuer for the names below dir. now tells the time.
func New(s Settings, dir string, names []string, now func() time.Time) (*Issuer, error) {
	if s.Life <= 0 || s.AuthorityLife < 3*s.Overlap || s.Overlap <= 0 || s.Every <= 0 {
		return nil, errors.New("issuer: every time must be above zero, and the authority's life at least three times the overlap")
	}
	if dir == "" || len(names) == 0 || now == nil {
		return nil, errors.New("issuer: a folder, names and a clock are required")
	}
	for _, name := range names {
		if !mtls.ValidName(name) || strings.Contains(name, "/") {
			return nil, fmt.Errorf("issuer: %q can name no part", name)
		}
	}
	return &Issuer{settings: s, dir: dir, names: names, now: now}, nil
}

// Files names the files of a part below dir.
func Files(dir, name string) mtls.Config {
	at := func(file string) string { return filepath.Join(dir, name, file) }
	return mtls.Config{CAFile: at("ca.pem"), CertFile: at("cert.pem"), KeyFile: at("key.pem")}
}

// Keep makes what is missing and renews what is due. It does nothing a second time.
func (i *Issuer) Keep() error { return i.keep(false) }

// Renew renews the certificate of every part, due or not.
func (i *Issuer) Renew() error { return i.keep(true) }

func (i *Issuer) keep(all bool) error {
	a, err := i.authorities()
	if err != nil {
		return err
	}
	// Trust goes first: nobody may present a certificate that others do not know yet.
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

// Check fails if a part has no certificate that serves now.
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

// replace gives a file new contents at once: a reader sees the old ones or the new ones.
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
	defer os.Remove(next.Name()) // not there any more if all went well
	_, err = next.Write(contents)
	if err = errors.Join(err, next.Chmod(mode), next.Sync(), next.Close()); err != nil {
		return err
	}
	return os.Rename(next.Name(), file)
}
