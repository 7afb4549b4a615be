package mailer_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	gomail "github.com/wneessen/go-mail"
)

// server is an SMTP server that runs in the test.
type server struct {
	addr string
	tls  *tls.Config

	mu sync.Mutex
	// refuse returns the server's error for a step ("mail", "rcpt" or "data"), or nil to accept it.
	refuse func(step string) error
	// taken holds the accepted messages, secured reports for each message whether it was sent over TLS, and users
	// holds the authenticated users.
	taken   []string
	secured []bool
	users   []string
}

// serve starts a server at addr; "127.0.0.1:0" selects a free port. Without a certificate, the server doesn't offer
// TLS. If wholly is set, the server accepts only TLS connections.
func serve(t *testing.T, addr string, certificate *tls.Config, wholly bool) *server {
	t.Helper()
	s := &server{tls: certificate}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	out := smtp.NewServer(s)
	out.Domain, out.ErrorLog = "mail.example.com", log.New(io.Discard, "", 0)
	if wholly {
		l = tls.NewListener(l, certificate)
	} else {
		out.TLSConfig = certificate
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = out.Serve(l)
	}()
	t.Cleanup(func() {
		_ = out.Close()
		<-done
	})
	return s
}

func (s *server) answers(refuse func(step string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = refuse
}

// Returns the messages accepted so far.
func (s *server) mails() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.taken)
}

func (s *server) step(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse == nil {
		return nil
	}
	return s.refuse(name)
}

func (s *server) NewSession(c *smtp.Conn) (smtp.Session, error) { return &visit{s, c}, nil }

// visit is one SMTP session.
type visit struct {
	*server
	conn *smtp.Conn
}

func (v *visit) Reset()        {}
func (v *visit) Logout() error { return nil }

func (v *visit) Mail(string, *smtp.MailOptions) error { return v.step("mail") }
func (v *visit) Rcpt(string, *smtp.RcptOptions) error { return v.step("rcpt") }

func (v *visit) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err == nil {
		err = v.step("data")
	}
	if err != nil {
		return err
	}
	_, inTLS := v.conn.TLSConnectionState()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.taken, v.secured = append(v.taken, string(raw)), append(v.secured, inTLS)
	return nil
}

func (v *visit) AuthMechanisms() []string { return []string{sasl.Plain} }

func (v *visit) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != "vitae" || password != "pass:word/" {
			return errors.New("wrong credentials")
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		v.users = append(v.users, user)
		return nil
	}), nil
}

// certificate returns a server configuration with a certificate for host, and a function that returns client
// options. They make the client trust the certificate and connect to addr instead of any host.
func certificate(t *testing.T, host string) (of *tls.Config, trust func(addr string) []gomail.Option) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	own := &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}
	return own, func(addr string) []gomail.Option {
		return append(at(addr), gomail.WithTLSConfig(&tls.Config{RootCAs: pool, ServerName: "mail.example.com", MinVersion: tls.VersionTLS12}))
	}
}

// at returns client options that make the client connect to addr instead of any host.
func at(addr string) []gomail.Option {
	return []gomail.Option{gomail.WithDialContextFunc(func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, addr)
	})}
}
