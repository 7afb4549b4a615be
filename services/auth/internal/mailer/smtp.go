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

// dialWithin bounds each step of the conversation.
const dialWithin = 15 * time.Second

// SMTP hands mail to a server, which delivers it.
type SMTP struct {
	from   *mail.Address
	server func() (*gomail.Client, error)
}

// SMTPConfig is what an SMTP is made of. URL and From are required.
type SMTPConfig struct {
	// URL is smtp://user:password@host:port or smtps://…; the ports are 587 and 465 unless it
	// names one, and a URL without a user signs in to nothing.
	URL  string
	From *mail.Address
	// Plain lets the conversation be in the clear where the server offers no TLS. It always
	// may be with a server on this machine.
	Plain bool
	// Options are for tests: the authority of their server.
	Options []gomail.Option
}

// NewSMTP makes an SMTP. It does not connect. The errors never hold the URL, which has a
// password.
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
	_, err = s.server() // an option that is wrong is known at the start
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
			return nil, errors.New("has a port that is no number")
		}
	}
	options = append(options, gomail.WithPort(port))
	if u.User.Username() != "" {
		password, _ := u.User.Password()
		// The library takes the strongest way that the server offers, and gives a password in the
		// clear only within TLS.
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	return options, nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Send implements mail.Transport. Each mail has a connection of its own: there are few, and
// a connection that waits is closed by the server.
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
	if err == nil || msg.IsDelivered() { // it is the server's, whatever follows
		return nil
	}
	return judged(err)
}

// judged tells a refusal for ever from one that may pass.
func judged(err error) error {
	var failed *gomail.SendError
	if !errors.As(err, &failed) || failed.ErrorCode() < 500 {
		return err
	}
	if failed.Reason == gomail.ErrSMTPMailFrom {
		return fmt.Errorf("%w: %w", domain.ErrUnusable, err) // it takes no mail of this sender
	}
	return fmt.Errorf("%w: %w", domain.ErrRefused, err)
}
