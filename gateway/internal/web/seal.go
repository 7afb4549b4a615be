package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/http"
	"strings"
	"time"
)

// mac signs value for one purpose of one site, so that no signature serves for
// another purpose or another site.
func (s *Site) mac(purpose, value string) string {
	h := hmac.New(sha256.New, s.cfg.CookieKey)
	h.Write([]byte("vitae " + s.cfg.Name + "\x00" + purpose + "\x00" + value))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// seal signs a value for one purpose: nobody else can make it or change it, but who
// holds it can read it. Its form is base64url(value) "." base64url(HMAC-SHA256).
func (s *Site) seal(purpose, value string) string {
	payload := base64.RawURLEncoding.EncodeToString([]byte(value))
	return payload + "." + s.mac(purpose, payload)
}

// unseal gives the value of a seal, and whether this site made it for the purpose.
func (s *Site) unseal(purpose, sealed string) (string, bool) {
	payload, signature, _ := strings.Cut(sealed, ".")
	if !hmac.Equal([]byte(signature), []byte(s.mac(purpose, payload))) {
		return "", false
	}
	raw, err := base64.RawURLEncoding.DecodeString(payload)
	return string(raw), err == nil
}

// SetSealed keeps a signed value in the cookie of this name for life; 0 until the
// browser closes. The browser's owner can read it. Values are cut off nowhere, so
// keep them short: a cookie of more than 1,024 bytes is not read again.
func (s *Site) SetSealed(w http.ResponseWriter, name, value string, life time.Duration) {
	s.setCookie(w, name, s.seal(name, value), life)
}

// Sealed gives what SetSealed has put into the cookie of this name, and whether there
// is such a value that nobody has changed.
func (s *Site) Sealed(r *http.Request, name string) (string, bool) {
	sealed := s.cookie(r, name)
	if sealed == "" {
		return "", false
	}
	return s.unseal(name, sealed)
}

// ClearSealed removes the cookie of this name.
func (s *Site) ClearSealed(w http.ResponseWriter, name string) { s.clearCookie(w, name) }

// noticeLife is how long a notice waits for the page that shows it.
const noticeLife = time.Minute

// Notify has the next page report something: key names a message, value fills the
// message's placeholder. The notice is signed, so that nobody can make a page report
// what did not happen.
func (s *Site) Notify(w http.ResponseWriter, key, value string) {
	s.SetSealed(w, noticeCookie, key+"\x00"+value, noticeLife)
}

// TakeNotice gives the waiting notice, once, "" if none waits. The value given to
// Notify fills {placeholder}.
func (s *Site) TakeNotice(w http.ResponseWriter, r *http.Request, placeholder string) (template.HTML, error) {
	if s.cookie(r, noticeCookie) == "" {
		return "", nil
	}
	s.clearCookie(w, noticeCookie)
	notice, ok := s.Sealed(r, noticeCookie)
	if !ok {
		return "", nil
	}
	key, value, _ := strings.Cut(notice, "\x00")
	return s.Language(r).HTML(key, placeholder, value)
}
