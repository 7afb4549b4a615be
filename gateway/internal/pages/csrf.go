package pages

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/pkg/errs"
)

// maxForm is the largest form in bytes; the longest field is the return path.
const maxForm = 64 << 10

// csrfField is the form field with the token.
const csrfField = "csrf"

// errForged is a form that did not come from a page of ours in this browser.
var errForged = errs.New(errs.Denied, "FORM_REFUSED", "The form is not valid any more.")

// admit checks what every post must satisfy, before any cookie is looked at: it
// comes from our own origin, as Sec-Fetch-Site and Origin tell, and is a form of
// bounded size that holds text. The token is checked where it is known to what it
// is tied: by signedIn, and by signIn.
func (p *Pages) admit(w http.ResponseWriter, r *http.Request) error {
	if err := p.origins.Check(r); err != nil {
		return errForged.WithCause(err)
	}
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != oauth.FormType {
		return errs.New(errs.Invalid, answer.CodeUnsupportedType, "The body must be %s.", oauth.FormType)
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
	if err != nil {
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			return errs.New(errs.Invalid, answer.CodePayloadTooLarge, "The form is too large.").WithCause(err)
		}
		return errBadRequest.WithCause(err)
	}
	// Not ParseForm: it also judges the query, which on the consent page is the
	// app's and may hold what net/url refuses, a bare semicolon for one.
	if r.PostForm, err = url.ParseQuery(string(raw)); err != nil {
		return errBadRequest.WithCause(err)
	}
	for _, values := range r.PostForm {
		for _, value := range values {
			if !oauth.IsText(value) {
				return errBadRequest
			}
		}
	}
	return nil
}

// mac signs value for one purpose, so that no signature serves for another.
func (p *Pages) mac(purpose, value string) string {
	h := hmac.New(sha256.New, p.cfg.CookieKey)
	h.Write([]byte("vitae pages\x00" + purpose + "\x00" + value))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// sessionCSRF is the token of the forms that a session shows.
func (p *Pages) sessionCSRF(sessionToken string) string { return p.mac("csrf session", sessionToken) }

// formCSRF is the token of the sign-in form, where there is no session yet. It is
// tied to a random cookie, so that nobody can sign a person in to another's account.
func (p *Pages) formCSRF(cookie string) string { return p.mac("csrf form", cookie) }

// newFormSecret is a value for the form cookie.
func newFormSecret() string { return rand.Text() }

// checkCSRF compares the token of a posted form.
func checkCSRF(r *http.Request, want string) error {
	if !hmac.Equal([]byte(r.PostForm.Get(csrfField)), []byte(want)) {
		return errForged
	}
	return nil
}
