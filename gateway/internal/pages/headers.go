package pages

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// policy is the Content-Security-Policy of a page: its own style, nothing else,
// no script at all. The two lists are what single pages need beyond that.
type policy struct{ formAction, images string }

func (c policy) String() string {
	return strings.Join([]string{
		"default-src 'none'", "style-src 'self'", "font-src 'self'",
		"img-src 'self' data:" + c.images, "form-action 'self'" + c.formAction,
		"base-uri 'none'", "frame-ancestors 'none'",
	}, "; ")
}

// securityHeaders are those of every answer; a page that needs a wider policy
// sets its own.
func securityHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy{}.String())
	h.Set("X-Content-Type-Options", "nosniff")
	// Not "no-referrer": with that a browser sends "Origin: null" with our own forms.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Vary", "Accept-Language, Cookie")
}

// personal marks an answer that only the person may see.
func personal(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex")
}

var scheme = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)

// redirectTarget is the source expression that lets a form's answer lead to the
// redirect URI. It names the scheme and not the origin: Chromium holds form-action
// against every hop that follows the post, and a callback may send the browser on
// to another host of the partner's; nor can an origin with an IPv6 address be
// written in a policy (CSP3 §2.3.1).
func redirectTarget(redirectURI string) string {
	u, err := url.Parse(redirectURI)
	if err != nil || !scheme.MatchString(u.Scheme) {
		return ""
	}
	return " " + u.Scheme + ":"
}

var imageHost = regexp.MustCompile(`^[a-zA-Z0-9.-]+(:[0-9]+)?$`)

// imageOrigin is the source expression for exactly the host of an image, and
// whether the image may be shown at all.
func imageOrigin(image string) (string, bool) {
	u, err := url.Parse(image)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || !imageHost.MatchString(u.Host) {
		return "", false
	}
	return " " + u.Scheme + "://" + u.Host, true
}

var inlineImage = regexp.MustCompile(`^data:image/(?:png|jpeg|webp|gif);base64,([A-Za-z0-9+/]+={0,2})$`)

// isInlineImage reports whether the address is itself a picture of a type that
// profiles hold, and nothing but that. SVG is none of them: it can hold links.
func isInlineImage(image string) bool {
	m := inlineImage.FindStringSubmatch(image)
	if m == nil {
		return false
	}
	_, err := base64.StdEncoding.Strict().DecodeString(m[1])
	return err == nil
}
