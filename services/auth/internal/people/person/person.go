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
	// Language is the person's choice for pages and emails, a BCP 47 tag, or empty if they have
	// made none.
	Language string
}

// EmailKey returns the form of an email address that is unique among people.
func EmailKey(email string) string { return emailaddress.Key(email) }
