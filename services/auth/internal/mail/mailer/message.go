package mailer

import (
	"fmt"
	"net/mail"

	gomail "github.com/wneessen/go-mail"

	"vitae.internal/pkg/emailaddress"
	domain "vitae.internal/services/auth/internal/mail"
)

// compose returns the message in RFC 5322 format, with a plain-text and an HTML part.
func compose(from *mail.Address, m domain.Message) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := msg.FromFormat(from.Name, from.Address); err != nil {
		return nil, fmt.Errorf("the sender: %w", err)
	}
	// If an address cannot be written in a message header, no mailbox can have it.
	to, ok := emailaddress.Parse(m.To)
	if !ok {
		return nil, fmt.Errorf("%w: the email address is invalid", domain.ErrRefused)
	}
	if err := msg.To(emailaddress.Header(to)); err != nil {
		return nil, fmt.Errorf("%w: the email address: %w", domain.ErrRefused, err)
	}
	msg.Subject(m.Subject)
	msg.SetMessageIDWithValue(m.ID)
	msg.SetDateWithValue(m.Date)
	// This header suppresses automatic replies, such as vacation messages (RFC 3834 §5).
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetGenHeader("Content-Language", m.Language)
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	return msg, nil
}
