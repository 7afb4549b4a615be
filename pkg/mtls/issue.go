package mtls

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// life is the lifetime of certificates created by Issue.
const life = 5 * 365 * 24 * time.Hour

// Issue creates the missing files of a certificate authority in dir (ca.pem and ca-key.pem), and
// for each name the missing certificate and key, signed by that authority (see Files). Existing
// files are kept. Issue is for local stacks and Docker Compose; other deployments have their own
// certificate authority.
func Issue(dir string, names ...string) error {
	for _, name := range names {
		if !ValidName(name) {
			return fmt.Errorf("mtls: invalid name %q: use the form \"auth\" for a service, \"internal/payments\" for a team, and \"vitaectl/alice\" for an operator", name)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("mtls: %w", err)
	}
	ca, caKey, err := authority(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := issueOne(dir, name, ca, caKey); err != nil {
			return fmt.Errorf("mtls: certificate of %s: %w", name, err)
		}
	}
	return nil
}

// Files returns the Config for a certificate that Issue created in dir: NAME.pem and NAME-key.pem.
// The files of the team internal/payments are internal-payments.pem and internal-payments.key.pem,
// and the files of operators have the same form. If there were a dash before "key", the key file of
// one team could have the same name as the certificate of a different team.
func Files(dir, name string) Config {
	if group, own, ok := strings.Cut(name, "/"); ok {
		file := filepath.Join(dir, group+"-"+own)
		return Config{CAFile: filepath.Join(dir, "ca.pem"), CertFile: file + ".pem", KeyFile: file + ".key.pem"}
	}
	return Config{
		CAFile:   filepath.Join(dir, "ca.pem"),
		CertFile: filepath.Join(dir, name+".pem"),
		KeyFile:  filepath.Join(dir, name+"-key.pem"),
	}
}

func authority(dir string) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	certFile, keyFile := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "ca-key.pem")
	if cert, key, err := read(certFile, keyFile); !errors.Is(err, fs.ErrNotExist) {
		return cert, key, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	template := newTemplate("Vitae internal authority")
	template.IsCA, template.BasicConstraintsValid = true, true
	template.MaxPathLenZero = true
	template.KeyUsage = x509.KeyUsageCertSign
	if err := write(certFile, keyFile, template, template, key, key); err != nil {
		return nil, nil, err
	}
	return read(certFile, keyFile)
}

func issueOne(dir, name string, ca *x509.Certificate, caKey *ecdsa.PrivateKey) error {
	files := Files(dir, name)
	if cert, _, err := read(files.CertFile, files.KeyFile); err == nil && cert.CheckSignatureFrom(ca) == nil {
		return nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := newTemplate(name)
	template.DNSNames = []string{name}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	return write(files.CertFile, files.KeyFile, template, ca, key, caKey)
}

func newTemplate(commonName string) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		panic(err) // crypto/rand never fails
	}
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: commonName},
		NotBefore:    now.Add(-time.Hour), // the clock of a peer may be slow
		NotAfter:     now.Add(life),
	}
}

func read(certFile, keyFile string) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	certPEM, err := os.ReadFile(certFile)
	if err != nil {
		return nil, nil, err
	}
	keyPEM, err := os.ReadFile(keyFile)
	if err != nil {
		return nil, nil, err
	}
	certBlock, _ := pem.Decode(certPEM)
	keyBlock, _ := pem.Decode(keyPEM)
	if certBlock == nil || keyBlock == nil {
		return nil, nil, fmt.Errorf("%s or %s is not PEM", certFile, keyFile)
	}
	cert, err := x509.ParseCertificate(certBlock.Bytes)
	if err != nil {
		return nil, nil, err
	}
	key, err := x509.ParseECPrivateKey(keyBlock.Bytes)
	return cert, key, err
}

// write writes the key before the certificate, so that a certificate never exists without its key.
func write(certFile, keyFile string, template, parent *x509.Certificate, key, parentKey *ecdsa.PrivateKey) error {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, parentKey)
	if err != nil {
		return err
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER})
	if err := os.WriteFile(keyFile, keyPEM, 0o600); err != nil {
		return err
	}
	return os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
}
