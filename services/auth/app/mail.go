package app

import (
	"errors"
	"fmt"
	"net/mail"

	"vitae.internal/pkg/background"
	domain "vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/mail/mailer"
)

// Mail configures how email is sent. Without a server or a folder, no email is sent, so people cannot sign up on the
// website or reset forgotten passwords.
type Mail struct {
	SMTPURL   string `env:"VITAE_SMTP_URL" help:"Mail server: smtp://user:password@host:port (STARTTLS) or smtps://."`
	SMTPPlain onOff  `env:"VITAE_SMTP_PLAIN" envDefault:"off" help:"on allows unencrypted mail to another machine if the server offers no TLS."`
	Dir       string `env:"VITAE_MAIL_DIR" help:"Folder that receives each email as a file, in place of a server."`
	From      string `env:"VITAE_MAIL_FROM" help:"Sender, such as Vitae <vitae@example.com>. Required with a server."`
}

// onOff is a setting with the value "on" or "off".
type onOff bool

func (o *onOff) UnmarshalText(text []byte) error {
	switch string(text) {
	case "on":
		*o = true
	case "off":
		*o = false
	default:
		return errors.New("must be on or off")
	}
	return nil
}

// on reports whether email is sent.
func (m Mail) on() bool { return m.SMTPURL != "" || m.Dir != "" }

// localSender is the default sender of emails that are only written to a folder.
const localSender = "Vitae <vitae@localhost>"

// transport returns the transport and the sender. Both are nil if no email is sent.
func (m Mail) transport() (domain.Transport, *mail.Address, error) {
	if !m.on() {
		return nil, nil, nil
	}
	from := m.From
	if from == "" && m.SMTPURL == "" {
		from = localSender
	}
	sender, err := mail.ParseAddress(from)
	if err != nil {
		return nil, nil, errors.New("VITAE_MAIL_FROM must be an address, as \"Vitae <vitae@example.com>\"")
	}
	if m.SMTPURL == "" {
		folder, err := mailer.NewFolder(m.Dir, sender)
		return folder, sender, err
	}
	server, err := mailer.NewSMTP(mailer.SMTPConfig{URL: m.SMTPURL, From: sender, Plain: bool(m.SMTPPlain)})
	if err != nil {
		return nil, nil, fmt.Errorf("VITAE_SMTP_URL %w", err)
	}
	return server, sender, nil
}

// mailJobs returns the job that sends email, or no jobs if no email is sent.
func (p *parts) mailJobs(c Config) ([]background.Job, error) {
	transport, from, err := c.Mail.transport()
	if err != nil {
		return nil, err
	}
	if transport == nil {
		p.log.Warn("no email is sent: neither VITAE_SMTP_URL nor VITAE_MAIL_DIR is set; " +
			"people cannot create accounts on the pages, nor replace forgotten passwords")
		return nil, nil
	}
	writer, err := domain.NewWriter(p.links, c.ConsoleURL, from)
	if err != nil {
		return nil, err
	}
	sender, err := domain.NewSender(domain.Config{Outbox: p.stores.Outbox, Transport: transport, Writer: writer, Clock: p.clock, Log: p.log})
	if err != nil {
		return nil, err
	}
	return []background.Job{sender.Job()}, nil
}
