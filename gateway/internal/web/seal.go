package web

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// sign signs value for one purpose of one site, so that no signature serves for
// another purpose or another site.
func (s *Site) sign(purpose, value string) string {
	signature := s.mac.Sign([]byte(purpose + "\x00" + value))
	return signatures.EncodeToString(signature[:])
}

// isSigned reports whether one of the cookie keys has signed value for the purpose.
func (s *Site) isSigned(purpose, value, signature string) bool {
	raw, err := signatures.DecodeString(signature)
	return err == nil && s.mac.Verify([]byte(purpose+"\x00"+value), raw)
}

// signatures is strict, so that one signature has only one spelling.
var signatures = base64.RawURLEncoding.Strict()

// seal signs a value for one purpose until a time: nobody else can make it, change it or
// use it longer, but who holds it can read it. Its form is base64url(value) "." Unix
// seconds "." base64url(HMAC-SHA256 of what is before).
func (s *Site) seal(purpose, value string, until time.Time) string {
	payload := base64.RawURLEncoding.EncodeToString([]byte(value)) + "." + strconv.FormatInt(until.Unix(), 10)
	return payload + "." + s.sign(purpose, payload)
}

// unseal gives the value of a seal, and whether this site made it for the purpose and
// its time has not passed.
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

// untilClosed is how long a sealed value is good that the browser keeps until it closes.
const untilClosed = 24 * time.Hour

// SetSealed keeps a signed value in the cookie of this name for life; 0 until the
// browser closes, at most a day. After that it is not good any more, even if the browser
// still sends it. The browser's owner can read it. It does not
// check the length: a cookie of more than 4,096 bytes is not read again.
func (s *Site) SetSealed(w http.ResponseWriter, name, value string, life time.Duration) {
	good := life
	if good == 0 {
		good = untilClosed
	}
	s.setCookie(w, name, s.seal(name, value, s.cfg.Clock.Now().Add(good)), life)
}

// Sealed gives what SetSealed has put into the cookie of this name, and whether there
// is such a value that nobody has changed and whose life has not ended.
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
// message's placeholder. The key of a refusal begins with "refused." The notice is signed, so that
// nobody can make a page report an event that did not happen.
func (s *Site) Notify(w http.ResponseWriter, key, value string) {
	s.SetSealed(w, noticeCookie, key+"\x00"+value, noticeLife)
}

// TakeNotice returns the waiting notice, once. The value given to Notify fills {placeholder}.
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
