package issuer

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"time"
)

// backdated is the time by which the start of a certificate's validity is moved back, for services whose clocks are
// slow.
const backdated = time.Hour

// pair is a certificate with its key.
type pair struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// due reports whether two thirds of the certificate's lifetime have passed.
func due(c *x509.Certificate, now time.Time) bool {
	begun := issued(c)
	return now.After(begun.Add(c.NotAfter.Sub(begun) / 3 * 2))
}

func issued(c *x509.Certificate) time.Time { return c.NotBefore.Add(backdated) }

// sign creates a certificate signed by an authority, or a self-signed certificate if by is nil.
func sign(template *x509.Certificate, by *pair) (pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return pair{}, err
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127)); err != nil {
		return pair{}, err
	}
	if by == nil {
		by = &pair{template, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, by.cert, &key.PublicKey, by.key)
	if err != nil {
		return pair{}, err
	}
	cert, err := x509.ParseCertificate(der)
	return pair{cert, key}, err
}

func newAuthority(now time.Time, life time.Duration) (pair, error) {
	return sign(&x509.Certificate{
		Subject:   pkix.Name{CommonName: "Vitae internal authority"},
		NotBefore: now.Add(-backdated), NotAfter: now.Add(life),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
	}, nil)
}

// part renews a service's certificate if it is due or was not issued by the current authority. It returns the time at
// which the service's certificate was issued.
func (i *Issuer) part(name string, by pair, always bool) (time.Time, error) {
	files, now := Files(i.dir, name), i.now()
	old, err := readPair(files.CertFile, files.KeyFile)
	if err == nil && !always && !due(old.cert, now) && old.cert.CheckSignatureFrom(by.cert) == nil {
		return issued(old.cert), nil
	}
	end := now.Add(i.settings.Life)
	if by.cert.NotAfter.Before(end) {
		end = by.cert.NotAfter
	}
	made, err := sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: now.Add(-backdated), NotAfter: end, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}, &by)
	if err != nil {
		return now, err
	}
	key, err := made.keyPEM()
	if err != nil {
		return now, err
	}
	// Until both files are written, the key does not match the certificate, and services keep using their previous files.
	if err := replace(files.KeyFile, key, 0o600); err != nil {
		return now, err
	}
	return now, replace(files.CertFile, certPEM(made.cert), 0o644)
}

func certPEM(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}

func (p pair) keyPEM() ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(p.key)
	return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), err
}

// write stores the pair in one file, so that a certificate is never stored with the wrong key.
func (p pair) write(file string) error {
	key, err := p.keyPEM()
	if err != nil {
		return err
	}
	return replace(file, append(certPEM(p.cert), key...), 0o600)
}

// readPair reads a certificate and its key from one or two files.
func readPair(files ...string) (p pair, err error) {
	var text []byte
	for _, file := range files {
		part, err := os.ReadFile(file)
		if err != nil {
			return p, err
		}
		text = append(text, part...)
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		var fault error
		switch block.Type {
		case "CERTIFICATE":
			p.cert, fault = x509.ParseCertificate(block.Bytes)
		case "EC PRIVATE KEY":
			p.key, fault = x509.ParseECPrivateKey(block.Bytes)
		}
		err = errors.Join(err, fault)
	}
	if err == nil && (p.cert == nil || p.key == nil || !p.key.PublicKey.Equal(p.cert.PublicKey)) {
		err = errors.New("the file does not contain a certificate and its key: " + filepath.Base(files[0]))
	}
	return p, err
}

func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
