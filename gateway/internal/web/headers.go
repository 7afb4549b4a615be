package web

import (
	"net/http"
	"strings"
)

// Policy is the Content-Security-Policy of a page: its own style, no script, nothing
// from elsewhere. The fields are what a site or a single page needs beyond that. A page whose
// policy is another one sets the header itself.
type Policy struct {
	// FormAction and Images are source expressions (CSP3 §2.3.1) for form-action and
	// img-src, each with a space before it; "" for none.
	FormAction, Images string
	// FormsLeave leaves form-action out: browsers hold it against every redirect that follows the answer
	// of a form, and a callback may lead anywhere.
	FormsLeave bool
	// Scripts lets the site's own scripts run, Connect lets them ask the site.
	Scripts, Connect bool
}

// String is the value of the header.
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

// PolicyHeader is the header field of a page's policy.
const PolicyHeader = "Content-Security-Policy"

// securityHeaders are those of every answer (behaviour: pages#security-headers).
func (s *Site) securityHeaders(h http.Header) {
	h.Set(PolicyHeader, s.cfg.Policy.String())
	h.Set("X-Content-Type-Options", "nosniff")
	// Not "no-referrer": with that a browser sends "Origin: null" with the site's own
	// forms.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Vary", "Accept-Language, Cookie")
}

// Personal marks an answer that only the visitor may see: no cache keeps it, and no
// search engine shows it.
func Personal(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex")
}

// Shared marks an answer that is the same for everybody. Caches may keep it, and must
// ask before they use it again.
func Shared(h http.Header) {
	h.Del("Vary")
	h.Set("Cache-Control", "no-cache")
}
