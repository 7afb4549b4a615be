package person

import (
	"strings"
	"time"
)

// Person is a person's account.
type Person struct {
	ID            string
	Email         string
	EmailVerified bool
	CreatedAt     time.Time
}

// EmailKey is the form of an e-mail address that is unique among people.
func EmailKey(email string) string { return strings.ToLower(strings.TrimSpace(email)) }
