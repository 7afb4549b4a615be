package pages

import (
	"crypto/hmac"
	"encoding/base64"
	"html/template"
	"net/http"
	"strings"
	"time"
)

// noticeLife is how long a notice waits for the page that shows it.
const noticeLife = time.Minute

// notify has the next page report something: key names a message, app is its {app}.
// It is signed, so that nobody can make us say what did not happen.
func (p *Pages) notify(w http.ResponseWriter, key, app string) {
	payload := base64.RawURLEncoding.EncodeToString([]byte(key + "\x00" + app))
	p.setCookie(w, noticeCookie, payload+"."+p.mac("notice", payload), noticeLife)
}

// takeNotice gives the waiting notice, once.
func (p *Pages) takeNotice(w http.ResponseWriter, r *http.Request) (template.HTML, error) {
	value := p.cookie(r, noticeCookie)
	if value == "" {
		return "", nil
	}
	p.clearCookie(w, noticeCookie)
	payload, signature, _ := strings.Cut(value, ".")
	if !hmac.Equal([]byte(signature), []byte(p.mac("notice", payload))) {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return "", nil //nolint:nilerr // not ours, then
	}
	key, app, _ := strings.Cut(string(raw), "\x00")
	return p.language(r).HTML(key, "app", app)
}
