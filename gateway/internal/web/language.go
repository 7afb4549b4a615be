package web

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"vitae.internal/gateway/internal/location"
	"vitae.internal/gateway/internal/web/i18n"
)

const languageCookie = "language"

const languageLife = 365 * 24 * time.Hour

// languagePath receives the form of the language switch. The form needs no CSRF token, because its origin is
// checked and it only changes the language of this browser.
const languagePath = "/language"

// maxSwitched is the maximum length, in bytes, of the URL of a page with a language switch.
const maxSwitched = 32 << 10

// maxAccepted is the maximum number of bytes of Accept-Language that are parsed. Parsing 60 KB takes as long as
// rendering a page.
const maxAccepted = 500

// wishes holds the languages that take precedence over Accept-Language, as BCP 47 tags, or "" if there are
// none. It also holds the visitor for the rest of the request.
type wishes struct {
	// page is the language set by ShowIn.
	page string
	// account is the language set in the visitor's account, once the visitor is known.
	account string
	// visitor is the visitor that Sessions.Live has found, or nil.
	visitor any
	// browser caches the language that matches Accept-Language, because a page looks up its language for
	// every message.
	browser     *i18n.Language
	browserOnce sync.Once
}

type wishesKey struct{}

// withWishes returns a copy of r that lets handlers set wishes for the rest of the request.
func withWishes(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), wishesKey{}, &wishes{}))
}

// wishesOf returns the wishes of a request. They are empty if the request did not pass the site's handler.
func wishesOf(r *http.Request) *wishes {
	if noted, ok := r.Context().Value(wishesKey{}).(*wishes); ok {
		return noted
	}
	return &wishes{}
}

// ShowIn sets the language of the response and removes the language switch. It does nothing if the site is
// not available in that language.
func (s *Site) ShowIn(r *http.Request, tag string) {
	if _, ok := s.catalog.Named(tag); ok {
		wishesOf(r).page = tag
	}
}

// Language returns the language of the response (behaviour: pages#languages). The language switch takes
// precedence over the account's language. Otherwise it would have no effect for signed-in people.
func (s *Site) Language(r *http.Request) *i18n.Language {
	noted := wishesOf(r)
	for _, tag := range []string{noted.page, s.cookie(r, languageCookie), noted.account} {
		if l, ok := s.catalog.Named(tag); ok {
			return l
		}
	}
	noted.browserOnce.Do(func() {
		asked := r.Header.Get("Accept-Language")
		if len(asked) > maxAccepted {
			asked = asked[:max(0, strings.LastIndexByte(asked[:maxAccepted], ','))]
		}
		noted.browser = s.catalog.Match(asked)
	})
	return noted.browser
}

// LanguageNamed returns the site's language for a BCP 47 tag, or false if the site is not available
// in that language.
func (s *Site) LanguageNamed(tag string) (*i18n.Language, bool) { return s.catalog.Named(tag) }

// Languages returns the languages of the site.
func (s *Site) Languages() []*i18n.Language { return s.catalog.Languages() }

// ForgetLanguage undoes the language switch, so that the account's language applies.
func (s *Site) ForgetLanguage(w http.ResponseWriter) { s.clearCookie(w, languageCookie) }

// Switch links to the same page in the other languages.
type Switch struct {
	// Return is the path and query of the page.
	Return string
	// Languages lists the other languages.
	Languages []*i18n.Language
}

// switchOf returns the language switch of a page, or nil for a page in a fixed language. In response to a POST,
// the switch leads to the page with the form.
func (s *Site) switchOf(r *http.Request, shown *i18n.Language) *Switch {
	page := location.Printable(r.URL.RequestURI())
	if r.Method == http.MethodPost {
		page = s.cfg.FormPath(r)
	}
	if len(s.catalog.Languages()) < 2 || wishesOf(r).page != "" || len(page) > maxSwitched {
		return nil
	}
	sw := &Switch{Return: page}
	for _, l := range s.catalog.Languages() {
		if l != shown {
			sw.Languages = append(sw.Languages, l)
		}
	}
	return sw
}

// switchLanguage stores the chosen language in a cookie and redirects back to the page.
func (s *Site) switchLanguage(w http.ResponseWriter, r *http.Request) error {
	l, ok := s.catalog.Named(r.PostForm.Get("language"))
	if !ok {
		return ErrMalformed
	}
	s.setCookie(w, languageCookie, l.Tag(), languageLife)
	path, query, ok := LocalPath(r.PostForm.Get("return"), s.isPage)
	switch {
	case !ok:
		path = "/"
	case query != "":
		path += "?" + location.Printable(query)
	}
	SeeOther(w, path)
	return nil
}
