package app

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/clock"
)

const (
	// securityPath is the path of the file (RFC 9116 §3).
	securityPath = "/.well-known/security.txt"
	// securityLife is the time for which the file is valid. RFC 9116 recommends less than a year.
	securityLife = 90 * 24 * time.Hour
)

// SecurityContact is the mailto:, tel: or https: URI for vulnerability reports (RFC 9116 §2.5.3), or "" if
// there is none.
type SecurityContact string

// UnmarshalText parses and checks a contact URI.
func (s *SecurityContact) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if len(text) > 0 && (err != nil || u.Scheme != "mailto" && u.Scheme != "tel" && u.Scheme != "https" || u.String() != string(text)) {
		return fmt.Errorf("%q is not a mailto:, tel: or https: address", text)
	}
	*s = SecurityContact(text)
	return nil
}

// securityText serves the same security.txt on every listener. It responds with 404 if there is no contact.
type securityText struct {
	contact SecurityContact
	// canonical is the file's canonical URL, which is on the pages.
	canonical string
	clock     clock.Clock
}

func (s securityText) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.contact == "" {
		chain.Fail(w, r, answer.NotFound())
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "public, max-age=86400")
	fmt.Fprintf(w, "Contact: %s\nExpires: %s\nPreferred-Languages: en, ar\nCanonical: %s\n",
		s.contact, s.clock.Now().Add(securityLife).UTC().Truncate(24*time.Hour).Format(time.RFC3339), s.canonical)
}

func (g *Gateway) securityText() securityText {
	return securityText{contact: g.cfg.SecurityContact, canonical: g.cfg.AppURL + securityPath, clock: clock.System{}}
}

// withSecurityText adds the route of security.txt to l.
func (g *Gateway) withSecurityText(l chain.Listener) chain.Listener {
	l.Routes = append(l.Routes, chain.Route{
		Method: http.MethodGet, Template: securityPath, Fail: l.Fail, Timeout: time.Second, Handler: g.securityText(),
	})
	return l
}
