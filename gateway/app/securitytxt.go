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
	// securityPath is defined by RFC 9116 §3.
	securityPath = "/.well-known/security.txt"
	// securityLife is the validity of the file; the RFC recommends less than a year.
	securityLife = 90 * 24 * time.Hour
)

// SecurityContact is the address for vulnerability reports: mailto:, tel: or https:
// (RFC 9116 §2.5.3). Empty for none.
type SecurityContact string

// UnmarshalText parses and checks an address.
func (s *SecurityContact) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if len(text) > 0 && (err != nil || u.Scheme != "mailto" && u.Scheme != "tel" && u.Scheme != "https" || u.String() != string(text)) {
		return fmt.Errorf("%q is no mailto:, tel: or https: address", text)
	}
	*s = SecurityContact(text)
	return nil
}

// securityText serves security.txt, the same at every listener; 404 without a contact.
type securityText struct {
	contact SecurityContact
	// canonical is the file's address at the pages.
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

// withSecurityText adds the file to a table of routes.
func (g *Gateway) withSecurityText(l chain.Listener) chain.Listener {
	l.Routes = append(l.Routes, chain.Route{
		Method: http.MethodGet, Template: securityPath, Fail: l.Fail, Timeout: time.Second, Handler: g.securityText(),
	})
	return l
}
