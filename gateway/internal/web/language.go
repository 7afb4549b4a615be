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

// languageCookie keeps the language that was chosen in the browser.
const languageCookie = "language"

// languageLife is how long a browser keeps it.
const languageLife = 365 * 24 * time.Hour

// languagePath takes the form of the switch of languages. The form has no token, because
// Sec-Fetch-Site and Origin are checked, and it changes nothing but how this browser is shown
// pages.
const languagePath = "/language"

// maxSwitched is the longest address in bytes of a page that has the switch.
const maxSwitched = 32 << 10

// maxAccepted is how much of Accept-Language is read, in bytes. People have a few languages; to
// read a header of 60 KB takes as long as to draw a page.
const maxAccepted = 500

// wishes are the languages that count before the browser's, as BCP 47 tags; empty for none.
type wishes struct {
	// page is that of a page which is shown in one language.
	page string
	// account is that of the visitor's account, once it is known who the visitor is.
	account string
	// browser is the language of the site that suits the browser, which is found once: a page asks
	// for its language for each of its texts.
	browser     *i18n.Language
	browserOnce sync.Once
}

type wishesKey struct{}

// withWishes lets handlers note wishes for the rest of the request.
func withWishes(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), wishesKey{}, &wishes{}))
}

// wishesOf gives the wishes of a request, none outside of the site's handler.
func wishesOf(r *http.Request) *wishes {
	if noted, ok := r.Context().Value(wishesKey{}).(*wishes); ok {
		return noted
	}
	return &wishes{}
}

// ShowIn has the rest of the request answered in a language, whatever the visitor wants. Its
// page has no switch. A tag that is none of the site's changes nothing.
func (s *Site) ShowIn(r *http.Request, tag string) {
	if _, ok := s.catalog.Named(tag); ok {
		wishesOf(r).page = tag
	}
}

// Language is the language of the response (behaviour: pages#languages). The choice in the
// browser comes before the account's language: with the reverse order, the language switch
// would have no effect for signed-in people.
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

// LanguageNamed gives the language of the site that a BCP 47 tag names, false for none.
func (s *Site) LanguageNamed(tag string) (*i18n.Language, bool) { return s.catalog.Named(tag) }

// Languages are the languages of the site.
func (s *Site) Languages() []*i18n.Language { return s.catalog.Languages() }

// ForgetLanguage drops the choice of the browser, so that the language of the account counts.
func (s *Site) ForgetLanguage(w http.ResponseWriter) { s.clearCookie(w, languageCookie) }

// Switch leads from a page to the same page in the other languages.
type Switch struct {
	// Return is the path and query of the page.
	Return string
	// Languages are the other languages.
	Languages []*i18n.Language
}

// switchOf is the switch of a page, nil for one that is shown in one language alone. What a
// post answers is behind the address of its form.
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

// switchLanguage keeps the choice of a language, and leads back to the page.
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
