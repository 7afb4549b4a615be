package mailer

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"

	domain "vitae.internal/services/auth/internal/mail"
)

// dialWithin limits each step of the SMTP conversation.
const dialWithin = 15 * time.Second

// SMTP sends email through an SMTP server.
type SMTP struct {
	from   *mail.Address
	server func() (*gomail.Client, error)
}

// SMTPConfig configures an SMTP. URL and From are required.
type SMTPConfig struct {
	// URL is smtp://user:password@host:port or smtps://…. The default ports are 587 and 465. If the URL has no user,
	// the client does not authenticate.
	URL  string
	From *mail.Address
	// Plain permits an unencrypted connection if the server doesn't offer TLS. This is always permitted for a server
	// on the local machine.
	Plain bool
	// Options are used in tests, for example to trust the test server's certificate authority.
	Options []gomail.Option
}

// NewSMTP returns an SMTP; it doesn't connect to the server. Errors never contain the URL, because the URL includes
// a password.
func NewSMTP(c SMTPConfig) (*SMTP, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") || (u.Path != "" && u.Path != "/") || u.RawQuery != "" {
		return nil, errors.New("must be smtp://user:password@host:port or smtps://user:password@host:port")
	}
	if c.From == nil {
		return nil, errors.New("mailer: a sender is required")
	}
	options, err := optionsOf(u, c.Plain)
	if err != nil {
		return nil, err
	}
	host := u.Hostname()
	all := append(options, c.Options...)
	s := &SMTP{from: c.From, server: func() (*gomail.Client, error) { return gomail.NewClient(host, all...) }}
	_, err = s.server() // this validates the options on startup
	return s, err
}

func optionsOf(u *url.URL, plain bool) ([]gomail.Option, error) {
	options := []gomail.Option{gomail.WithTimeout(dialWithin)}
	port := 587
	switch {
	case u.Scheme == "smtps":
		port = 465
		options = append(options, gomail.WithSSL())
	case plain || isLoopback(u.Hostname()):
		options = append(options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if given := u.Port(); given != "" {
		var err error
		if port, err = strconv.Atoi(given); err != nil {
			return nil, errors.New("has a port that is not a number")
		}
	}
	options = append(options, gomail.WithPort(port))
	if u.User.Username() != "" {
		password, _ := u.User.Password()
		// The library selects the strongest mechanism that the server offers. It sends a plain-text password only
		// over TLS.
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	return options, nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Send sends an email over a new connection. Connections are not reused, because emails are rare and servers close
// idle connections.
func (s *SMTP) Send(ctx context.Context, m domain.Message) error {
	msg, err := compose(s.from, m)
	if err != nil {
		return err
	}
	client, err := s.server()
	if err != nil {
		return err
	}
	conn, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", domain.ErrUnusable, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	err = client.SendWithSMTPClient(conn, msg)
	_ = client.CloseWithSMTPClient(conn)
	if err == nil || msg.IsDelivered() { // the server has accepted the email, even if a later step failed
		return nil
	}
	return judged(err)
}

// judged wraps permanent rejections in ErrUnusable or ErrRefused.
func judged(err error) error {
	var failed *gomail.SendError
	if !errors.As(err, &failed) || failed.ErrorCode() < 500 {
		return err
	}
	if failed.Reason == gomail.ErrSMTPMailFrom {
		return fmt.Errorf("%w: %w", domain.ErrUnusable, err) // the server accepts no email from this sender
	}
	return fmt.Errorf("%w: %w", domain.ErrRefused, err)
}
