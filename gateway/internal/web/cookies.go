package web

import (
	"net/http"
	"time"
)

// Names of cookies, without Config.CookiePrefix.
const (
	sessionCookie = "session" // token of the session
	formCookie    = "form"    // ties an anonymous form to the browser
	noticeCookie  = "notice"  // what the next page reports
)

// cookieName adds the prefix __Host-, with which browsers reject the cookie from other
// hosts or without Secure (RFC 6265bis §4.1.3.2). The prefix requires https.
func (s *Site) cookieName(name string) string {
	name = s.cfg.CookiePrefix + "_" + name
	if s.secure {
		return "__Host-" + name
	}
	return name
}

// setCookie sets a cookie. A life of 0 makes it a session cookie.
func (s *Site) setCookie(w http.ResponseWriter, name, value string, life time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(name), Value: value, Path: "/", MaxAge: int(life / time.Second),
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	})
}

func (s *Site) clearCookie(w http.ResponseWriter, name string) {
	s.setCookie(w, name, "", -time.Second)
}

// maxCookie is the maximum length of a cookie's value in bytes. Browsers drop cookies of more than
// 4096 bytes (RFC 6265bis §5.6).
const maxCookie = 4096

// cookie returns the value of a cookie, "" if it is missing or too long.
func (s *Site) cookie(r *http.Request, name string) string {
	c, err := r.Cookie(s.cookieName(name))
	if err != nil || len(c.Value) > maxCookie {
		return ""
	}
	return c.Value
}
