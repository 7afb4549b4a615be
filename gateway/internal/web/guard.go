package web

import (
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/pasted"
)

// MaxForm is the largest form in bytes, unless a route says otherwise.
const MaxForm = 64 << 10

// formType is the media type of a form.
const formType = "application/x-www-form-urlencoded"

// uploadType is the media type of a form with files (RFC 7578).
const uploadType = "multipart/form-data"

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
		err := s.readForm(w, r, route)
		if errs.HasCode(err, answer.CodePayloadTooLarge) && route.TooLarge != nil {
			Personal(w.Header())
			if !route.Anonymous && s.SessionToken(r) == "" {
				s.toSignIn(w, r)
				return nil
			}
			return route.TooLarge(w, r)
		}
		if err != nil {
			return err
		}
		Personal(w.Header())
		if route.Open {
			return route.Post(w, r)
		}
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
// of bounded size that holds text, and files if the route takes them. It fills in
// r.PostForm.
func (s *Site) readForm(w http.ResponseWriter, r *http.Request, route Route) error {
	if err := s.origins.Check(r); err != nil {
		return errForged.WithCause(err)
	}
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && mediaType == formType:
		err = s.readText(w, r, cmp.Or(route.MaxForm, MaxForm))
	case err == nil && mediaType == uploadType && route.MaxUpload > 0:
		err = s.readUpload(w, r, route.MaxUpload)
	default:
		return errs.New(errs.Invalid, answer.CodeUnsupportedType, "The body must be %s.", formType)
	}
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return errs.New(errs.Invalid, answer.CodePayloadTooLarge, "The form is too large.").WithCause(err)
	}
	if refused, ok := errs.As(err); ok {
		return refused
	}
	if err != nil {
		return ErrMalformed.WithCause(err)
	}
	for name, values := range r.PostForm {
		for i, value := range values {
			if !fault.IsStorable(value) {
				return ErrMalformed
			}
			if !strings.Contains(name, "password") { // a password is what was typed
				values[i] = pasted.Text(value)
			}
		}
	}
	return nil
}

func (s *Site) readText(w http.ResponseWriter, r *http.Request, maxForm int64) error {
	raw, err := io.ReadAll(chain.Within(w, r, maxForm))
	if err != nil {
		return err
	}
	// Not ParseForm: it also judges the query, which may be written by others and
	// hold what net/url refuses, a bare semicolon for one.
	r.PostForm, err = url.ParseQuery(string(raw))
	return err
}

// readUpload reads a form with files into memory, which maxUpload bounds.
func (s *Site) readUpload(w http.ResponseWriter, r *http.Request, maxUpload int64) error {
	r.Body = chain.Within(w, r, maxUpload)
	parts, err := r.MultipartReader()
	if err != nil {
		return err
	}
	form, err := parts.ReadForm(maxUpload)
	if err != nil {
		return err
	}
	texts := 0
	for _, values := range form.Value {
		for _, value := range values {
			texts += len(value)
		}
	}
	if texts > MaxForm {
		return &http.MaxBytesError{Limit: MaxForm}
	}
	r.PostForm, r.MultipartForm = form.Value, form
	return nil
}

// Upload is the file that the form of a route with MaxUpload holds under a name; empty
// if it holds none.
func Upload(r *http.Request, name string) ([]byte, error) {
	if r.MultipartForm == nil || len(r.MultipartForm.File[name]) == 0 {
		return nil, nil
	}
	header := r.MultipartForm.File[name][0]
	file, err := header.Open()
	if err != nil {
		return nil, ErrMalformed.WithCause(err)
	}
	defer file.Close()
	raw := make([]byte, header.Size)
	if _, err := io.ReadFull(file, raw); err != nil {
		return nil, ErrMalformed.WithCause(err)
	}
	return raw, nil
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
