package web

import (
	"net/http"
	"strings"
)

// Policy is the Content-Security-Policy of a page. The zero Policy allows the site's own styles, no scripts,
// and nothing from other origins.
type Policy struct {
	// FormAction and Images are source expressions (CSP3 §2.3.1) for form-action and img-src, each preceded by
	// a space, or "" if there are none.
	FormAction, Images string
	// FormsLeave omits form-action. Browsers apply it to every redirect that follows the form, but an app's
	// callback may redirect anywhere.
	FormsLeave bool
	// Scripts allows the site's own scripts. Connect also lets them send requests to the site.
	Scripts, Connect bool
}

// String returns the value of the header.
func (p Policy) String() string {
	parts := []string{
		"default-src 'none'", "style-src 'self'", "font-src 'self'",
		"img-src 'self' data:" + p.Images, "base-uri 'none'", "frame-ancestors 'none'",
	}
	if !p.FormsLeave {
		parts = append(parts, "form-action 'self'"+p.FormAction)
	}
	if p.Scripts {
		parts = append(parts, "script-src 'self'")
	}
	if p.Connect {
		parts = append(parts, "connect-src 'self'")
	}
	return strings.Join(parts, "; ")
}

// PolicyHeader is the name of the header that contains the Policy.
const PolicyHeader = "Content-Security-Policy"

// securityHeaders sets the headers of every response (behaviour: pages#security-headers).
func (s *Site) securityHeaders(h http.Header) {
	h.Set(PolicyHeader, s.cfg.Policy.String())
	h.Set("X-Content-Type-Options", "nosniff")
	// With "no-referrer", browsers would send "Origin: null" with the site's own forms.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Vary", "Accept-Language, Cookie")
}

// Personal marks a response as personal. Caches must not store it, and search engines must not list it.
func Personal(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex")
}

// Shared marks a response that is the same for everyone. Caches may store it but must revalidate it.
func Shared(h http.Header) {
	h.Del("Vary")
	h.Set("Cache-Control", "no-cache")
}
