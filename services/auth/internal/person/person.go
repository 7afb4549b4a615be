package person

import (
	"time"

	"vitae.internal/pkg/emailaddress"
)

// Person is a person's account.
type Person struct {
	ID            string
	Email         string
	EmailVerified bool
	CreatedAt     time.Time
	// Language is that which the person has chosen for pages and mails, a BCP 47 tag; empty for
	// none.
	Language string
}

// EmailKey is the form of an e-mail address that is unique among people.
func EmailKey(email string) string { return emailaddress.Key(email) }
