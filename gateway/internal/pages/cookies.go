package pages

import (
	"net/http"
	"time"
)

// Base names of the cookies.
const (
	sessionCookie = "vitae_session" // secret of the session
	formCookie    = "vitae_form"    // ties the sign-in form to the browser
	noticeCookie  = "vitae_notice"  // what the next page reports
)

// cookieName adds the prefix that makes browsers refuse the cookie from any other
// host, or without Secure (RFC 6265bis §4.1.3.2). It needs https.
func (p *Pages) cookieName(base string) string {
	if p.secure {
		return "__Host-" + base
	}
	return base
}

// setCookie keeps value in the browser for life; 0 until it closes.
func (p *Pages) setCookie(w http.ResponseWriter, base, value string, life time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: p.cookieName(base), Value: value, Path: "/", MaxAge: int(life / time.Second),
		HttpOnly: true, Secure: p.secure, SameSite: http.SameSiteLaxMode,
	})
}

func (p *Pages) clearCookie(w http.ResponseWriter, base string) {
	p.setCookie(w, base, "", -time.Second)
}

// maxCookie is the longest value that any of our cookies has.
const maxCookie = 1024

// cookie gives the value of a cookie, "" if there is none worth looking at.
func (p *Pages) cookie(r *http.Request, base string) string {
	c, err := r.Cookie(p.cookieName(base))
	if err != nil || len(c.Value) > maxCookie {
		return ""
	}
	return c.Value
}
