// Package maillink creates and verifies the links in emails.
//
// A link's token consists of an id with 130 random bits and a signature of the id. The database stores the SHA-256
// of the id, and the outbox stores the id until the email is sent. Without the keys, neither is enough to create a
// link. The package must never create a link to any host other than the configured one: the Host header is not
// trusted (CWE-640).
package maillink

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/keyring"
)

// ErrDead is returned for a link that has been used, has expired or never existed.
var ErrDead = errs.New(errs.NotFound, "LINK_DEAD", "The link no longer works.")

// Links creates and verifies links.
type Links struct {
	app string
	mac *keyring.MAC
}

// New returns Links. app is the website's http or https URL, without a trailing slash.
func New(app string, keys keyring.Ring) (*Links, error) {
	u, err := url.Parse(app)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || strings.HasSuffix(app, "/") {
		return nil, fmt.Errorf("VITAE_APP_URL must be an http or https URL without a trailing slash")
	}
	mac, err := keys.MAC("vitae mail link")
	return &Links{app: app, mac: mac}, err
}

// NewID returns a new id for a link.
func NewID() string { return rand.Text() }

// Hash returns the form of an id that is stored in the database.
func Hash(id string) credential.Digest { return credential.Hash(id) }

// Plain returns the URL of a page without a token.
func (l *Links) Plain(path string) string { return l.app + path }

// URL returns the URL of a page, with the token for an id in the query.
func (l *Links) URL(path, id string) string {
	return l.app + path + "?" + url.Values{"token": {l.Token(id)}}.Encode()
}

// Token returns the signed token for an id.
func (l *Links) Token(id string) string {
	sum := l.mac.Sign([]byte(id))
	return id + "." + base64.RawURLEncoding.EncodeToString(sum[:])
}

// Open verifies a token and returns the hash of the id in it. Errors: ErrDead.
func (l *Links) Open(token string) (credential.Digest, error) {
	id, signature, _ := strings.Cut(token, ".")
	sum, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || !l.mac.Verify([]byte(id), sum) {
		return credential.Digest{}, ErrDead
	}
	return Hash(id), nil
}
