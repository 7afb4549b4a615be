package web

import (
	"net/http"
	"time"
)

// What the kit's cookies are called after Config.CookiePrefix.
const (
	sessionCookie = "session" // token of the session
	formCookie    = "form"    // ties an anonymous form to the browser
	noticeCookie  = "notice"  // what the next page reports
)

// cookieName adds the prefix that makes browsers refuse the cookie from any other
// host, or without Secure (RFC 6265bis §4.1.3.2). The prefix needs https.
func (s *Site) cookieName(name string) string {
	name = s.cfg.CookiePrefix + "_" + name
	if s.secure {
		return "__Host-" + name
	}
	return name
}

// setCookie keeps value in the browser for life; 0 until the browser closes.
func (s *Site) setCookie(w http.ResponseWriter, name, value string, life time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(name), Value: value, Path: "/", MaxAge: int(life / time.Second),
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	})
}

func (s *Site) clearCookie(w http.ResponseWriter, name string) {
	s.setCookie(w, name, "", -time.Second)
}

// maxCookie is the longest value in bytes that any cookie of a site has. Browsers drop a cookie of more
// than 4096 bytes in all (RFC 6265bis §5.6).
const maxCookie = 4096

// cookie gives the value of a cookie, "" if there is none worth looking at.
func (s *Site) cookie(r *http.Request, name string) string {
	c, err := r.Cookie(s.cookieName(name))
	if err != nil || len(c.Value) > maxCookie {
		return ""
	}
	return c.Value
}
