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
	// Language is the language that the person chose for pages and emails (BCP 47), or empty if the person chose
	// none.
	Language string
}

// EmailKey returns the form of an email address that is unique among people.
func EmailKey(email string) string { return emailaddress.Key(email) }
