package web

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// MaxForm is the largest form in bytes.
const MaxForm = 64 << 10

// formType is the media type of a form.
const formType = "application/x-www-form-urlencoded"

// codeForged and errForged are for a form that no page of the site has shown in this
// browser.
const codeForged = "FORM_REFUSED"

var errForged = errs.New(errs.Denied, codeForged, "The form is not valid any more.")

// codeMalformed is the code of ErrMalformed.
const codeMalformed = "PAGE_REQUEST_MALFORMED"

// ErrMalformed is for requests that no page of the site makes.
var ErrMalformed = errs.New(errs.Invalid, codeMalformed, "The request cannot be understood.")

// guarded is the route's Post behind all checks that a post must pass, nil if the
// route has none.
func (s *Site) guarded(route Route) Handler {
	if route.Post == nil {
		return nil
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.readForm(w, r); err != nil {
			return err
		}
		Personal(w.Header())
		if route.Anonymous {
			if err := s.checkFormToken(r); err != nil {
				return err
			}
			return route.Post(w, r)
		}
		token := s.SessionToken(r)
		if token == "" {
			s.toSignIn(w, r)
			return nil
		}
		if err := s.checkToken(r, sessionForms, token); err != nil {
			return err
		}
		return route.Post(w, r)
	}
}

// readForm checks what can be told of a post before any cookie is looked at: it
// comes from the site's own origin, as Sec-Fetch-Site and Origin say, and is a form
// of bounded size that holds text. It fills in r.PostForm.
func (s *Site) readForm(w http.ResponseWriter, r *http.Request) error {
	if err := s.origins.Check(r); err != nil {
		return errForged.WithCause(err)
	}
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != formType {
		return errs.New(errs.Invalid, answer.CodeUnsupportedType, "The body must be %s.", formType)
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxForm))
	if err != nil {
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			return errs.New(errs.Invalid, answer.CodePayloadTooLarge, "The form is too large.").WithCause(err)
		}
		return ErrMalformed.WithCause(err)
	}
	// Not ParseForm: it also judges the query, which may be written by others and
	// hold what net/url refuses, a bare semicolon for one.
	if r.PostForm, err = url.ParseQuery(string(raw)); err != nil {
		return ErrMalformed.WithCause(err)
	}
	for _, values := range r.PostForm {
		for _, value := range values {
			if !fault.IsStorable(value) {
				return ErrMalformed
			}
		}
	}
	return nil
}

// csrfField is the form field with the token.
const csrfField = "csrf"

// checkToken checks the token of a posted form, which is tied to a value that the browser
// holds.
func (s *Site) checkToken(r *http.Request, purpose, value string) error {
	if !s.isSigned(purpose, value, r.PostForm.Get(csrfField)) {
		return errForged
	}
	return nil
}
