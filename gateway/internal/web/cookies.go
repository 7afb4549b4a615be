package web

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// These are the names of cookies, without Config.CookiePrefix.
const (
	sessionCookie = "session" // holds the session token
	formCookie    = "form"    // binds an anonymous form to the browser
	noticeCookie  = "notice"  // holds the notice for the next page
)

// cookieName returns the full name of a cookie. The prefix __Host- makes browsers reject the cookie from other
// hosts or without Secure (RFC 6265bis §4.1.3.2). The prefix requires https.
func (s *Site) cookieName(name string) string {
	name = s.cfg.CookiePrefix + "_" + name
	if s.secure {
		return "__Host-" + name
	}
	return name
}

// setCookie sets a cookie. If life is 0, it is a session cookie.
func (s *Site) setCookie(w http.ResponseWriter, name, value string, life time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(name), Value: value, Path: "/", MaxAge: int(life / time.Second),
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	})
}

func (s *Site) clearCookie(w http.ResponseWriter, name string) {
	s.setCookie(w, name, "", -time.Second)
}

// maxCookie is the maximum length of a cookie value, in bytes. Browsers drop cookies of more than 4096 bytes
// (RFC 6265bis §5.6).
const maxCookie = 4096

// cookie returns the value of a cookie, or "" if it is missing or too long.
func (s *Site) cookie(r *http.Request, name string) string {
	c, err := r.Cookie(s.cookieName(name))
	if err != nil || len(c.Value) > maxCookie {
		return ""
	}
	return c.Value
}

// sign returns a signature that is valid only for this purpose and this site.
func (s *Site) sign(purpose, value string) string {
	signature := s.mac.Sign([]byte(purpose + "\x00" + value))
	return signatures.EncodeToString(signature[:])
}

// isSigned reports whether signature was created for the value with one of the cookie keys.
func (s *Site) isSigned(purpose, value, signature string) bool {
	raw, err := signatures.DecodeString(signature)
	return err == nil && s.mac.Verify([]byte(purpose+"\x00"+value), raw)
}

// signatures accepts only one encoding of each signature.
var signatures = base64.RawURLEncoding.Strict()

// seal signs a value with an expiry. The value remains readable. The format is base64url(value) "." expiry in
// Unix seconds "." base64url(HMAC-SHA256 of the preceding text).
func (s *Site) seal(purpose, value string, until time.Time) string {
	payload := base64.RawURLEncoding.EncodeToString([]byte(value)) + "." + strconv.FormatInt(until.Unix(), 10)
	return payload + "." + s.sign(purpose, payload)
}

// unseal returns the value of a seal. It returns false if this site did not create the seal for this purpose,
// or if it has expired.
func (s *Site) unseal(purpose, sealed string) (string, bool) {
	at := strings.LastIndexByte(sealed, '.')
	if at < 0 || !s.isSigned(purpose, sealed[:at], sealed[at+1:]) {
		return "", false
	}
	payload, until, ok := strings.Cut(sealed[:at], ".")
	seconds, err := strconv.ParseInt(until, 10, 64)
	if !ok || err != nil || s.cfg.Clock.Now().Unix() >= seconds {
		return "", false
	}
	raw, err := base64.RawURLEncoding.DecodeString(payload)
	return string(raw), err == nil
}

// untilClosed is the validity of a sealed value in a session cookie.
const untilClosed = 24 * time.Hour

// SetSealed stores a signed value in a cookie. If life is 0, the value lasts until the browser closes, but at
// most a day. Afterwards, Sealed rejects it. The person can read the value. Values of more than 4,096 bytes
// cannot be read back.
func (s *Site) SetSealed(w http.ResponseWriter, name, value string, life time.Duration) {
	good := life
	if good == 0 {
		good = untilClosed
	}
	s.setCookie(w, name, s.seal(name, value, s.cfg.Clock.Now().Add(good)), life)
}

// Sealed returns the value that SetSealed has stored. It returns false if the value was modified or has
// expired.
func (s *Site) Sealed(r *http.Request, name string) (string, bool) {
	sealed := s.cookie(r, name)
	if sealed == "" {
		return "", false
	}
	return s.unseal(name, sealed)
}

// ClearSealed removes a cookie.
func (s *Site) ClearSealed(w http.ResponseWriter, name string) { s.clearCookie(w, name) }

// noticeLife is how long a notice waits for the next page.
const noticeLife = time.Minute

// Notify shows a notice on the next page. key is the key of its message, and value fills the placeholder. Keys
// that begin with "refused." mark notices about rejected actions. The notice is signed, so no one can make a
// page report an event that did not happen.
func (s *Site) Notify(w http.ResponseWriter, key, value string) {
	s.SetSealed(w, noticeCookie, key+"\x00"+value, noticeLife)
}

// TakeNotice returns the notice and removes it. The value from Notify fills {placeholder}.
func (s *Site) TakeNotice(w http.ResponseWriter, r *http.Request, placeholder string) (Notice, error) {
	if s.cookie(r, noticeCookie) == "" {
		return Notice{}, nil
	}
	s.clearCookie(w, noticeCookie)
	notice, ok := s.Sealed(r, noticeCookie)
	if !ok {
		return Notice{}, nil
	}
	key, value, _ := strings.Cut(notice, "\x00")
	text, err := s.Language(r).HTML(key, placeholder, value)
	return Notice{Key: key, Text: text}, err
}
