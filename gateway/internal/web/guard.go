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

// MaxForm is the default maximum size of a form, in bytes.
const MaxForm = 64 << 10

const formType = "application/x-www-form-urlencoded"

// uploadType is the media type of a form with files (RFC 7578).
const uploadType = "multipart/form-data"

// codeForged and errForged mean that the site has not shown the submitted form in this browser.
const codeForged = "FORM_REFUSED"

var errForged = errs.New(errs.Denied, codeForged, "The form is not valid any more.")

const codeMalformed = "PAGE_REQUEST_MALFORMED"

// ErrMalformed is the error for a request that no page on the site sends.
var ErrMalformed = errs.New(errs.Invalid, codeMalformed, "The request cannot be understood.")

// guarded wraps the route's Post handler in the checks of the origin, the form and the CSRF token. It
// returns nil if the route has no Post.
func (s *Site) guarded(route Route) Handler {
	if route.Post == nil {
		return nil
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.origins.Check(r); err != nil {
			return errForged.WithCause(err)
		}
		if route.Session != nil {
			if live, err := route.Session(w, r); err != nil || !live {
				chain.Discard(w, r)
				return err
			}
		}
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

// readForm parses the form into r.PostForm. The form is limited in size, and may contain files only if the
// route accepts them. readForm does not read cookies.
func (s *Site) readForm(w http.ResponseWriter, r *http.Request, route Route) error {
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
			if !strings.Contains(name, "password") { // passwords must not be changed
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
	// This does not use ParseForm, which also parses the query. Someone else may have composed the query,
	// and net/url may reject it, for example because of a semicolon.
	r.PostForm, err = url.ParseQuery(string(raw))
	return err
}

// readUpload reads a form with files of up to maxUpload bytes into memory.
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

// Upload returns a file from the form of a route with MaxUpload. It returns nil if there is no such file.
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

const csrfField = "csrf"

// checkToken checks the CSRF token of a form, which is bound to a value in the browser.
func (s *Site) checkToken(r *http.Request, purpose, value string) error {
	if !s.isSigned(purpose, value, r.PostForm.Get(csrfField)) {
		return errForged
	}
	return nil
}
