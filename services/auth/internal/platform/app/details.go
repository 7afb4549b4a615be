package app

import (
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/oauth/redirecturi"
	"vitae.internal/services/auth/internal/oauth/scope"
)

// Details holds changes to an app's details (behaviour: apps#details). If a field is nil, it stays unchanged.
type Details struct {
	Name, Description, LogoURL, Homepage, PrivacyPolicy, Terms, Support *string
	RedirectURIs, Scopes                                                *[]string
}

// The maximum lengths in characters, as in the .proto file.
const (
	maxName        = 200
	maxDescription = 1000
	maxAddress     = 2048
)

// check adds all validation errors except errors in the scopes, which depend on the app.
func (d Details) check(faults *fault.List) {
	if d.Name != nil && fault.IsBlank(*d.Name) {
		faults.Add("name", "is blank")
	}
	if d.LogoURL != nil && !isLogo(*d.LogoURL) {
		faults.Add("logo_url", "is not an http or https URL")
	}
	if d.RedirectURIs != nil {
		checkRedirectURIs(faults, *d.RedirectURIs)
	}
	for _, page := range []struct {
		path  string
		value *string
	}{{"homepage", d.Homepage}, {"privacy_policy", d.PrivacyPolicy}, {"terms", d.Terms}} {
		if page.value != nil && *page.value != "" && !isPage(*page.value) {
			faults.Add(page.path, "is not an https URL")
		}
	}
	if d.Support != nil && *d.Support != "" && !isAddress(*d.Support) && !isPage(*d.Support) {
		faults.Add("support", "is neither an e-mail address nor an https URL")
	}
	if d.Description != nil {
		faults.Text("description", *d.Description, maxDescription)
	}
	if d.Name != nil && faults.Line("name", *d.Name, maxName) {
		faults.Visible("name", *d.Name)
	}
}

// checkOfMember rejects values that only operators may set. Members may only clear them.
func (d Details) checkOfMember(faults *fault.List) {
	if d.LogoURL != nil && *d.LogoURL != "" {
		faults.Add("logo_url", "is set by operators; upload a logo")
	}
}

// checkScopes adds the validation errors in the scopes. For an app that is marked as legacy, it accepts the legacy
// interface's scope. That scope is not stored, because the mark already grants it.
func (d Details) checkScopes(faults *fault.List, legacy bool) {
	if d.Scopes == nil {
		return
	}
	implied := func(s string) bool { return legacy && s == scope.ProfileRead }
	for i, s := range *d.Scopes {
		if _, err := scope.User([]string{s}); err != nil && s != scope.CVContact && !implied(s) {
			faults.Add(fmt.Sprintf("scopes[%d]", i), "%s", err)
		}
	}
	if faults.Has("scopes") {
		return
	}
	if _, err := scope.User(withoutImplied(*d.Scopes)); err != nil {
		faults.Add("scopes", "%s", err)
	}
}

func withoutImplied(scopes []string) []string {
	return slices.DeleteFunc(slices.Clone(scopes), func(s string) bool { return s == scope.ProfileRead })
}

// apply sets the fields that are not nil. The details must have passed check.
func (d Details) apply(a *App) {
	for _, text := range []struct{ from, to *string }{
		{d.Name, &a.Name}, {d.Description, &a.Description}, {d.LogoURL, &a.LogoURL}, {d.Homepage, &a.Homepage},
		{d.PrivacyPolicy, &a.PrivacyPolicy}, {d.Terms, &a.Terms}, {d.Support, &a.Support},
	} {
		if text.from != nil {
			*text.to = *text.from
		}
	}
	if d.RedirectURIs != nil {
		a.RedirectURIs = *d.RedirectURIs
	}
	if d.Scopes != nil {
		a.Scopes = scope.Stored(withoutImplied(*d.Scopes))
		a.Scopes = slices.Compact(a.Scopes)
	}
}

func checkRedirectURIs(faults *fault.List, uris []string) {
	seen := make(map[string]bool, len(uris))
	for i, uri := range uris {
		path := fmt.Sprintf("redirect_uris[%d]", i)
		if err := redirecturi.Validate(uri); err != nil {
			faults.Add(path, "%s", err)
		} else if seen[uri] {
			faults.Add(path, "is duplicated")
		}
		seen[uri] = true
	}
}

// isLogo reports whether s is empty or an http or https URL without credentials.
func isLogo(s string) bool {
	if s == "" {
		return true
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// isPage reports whether s is a URL without credentials that uses https or, for development, http with the local
// machine. People follow such links from the consent page.
func isPage(s string) bool {
	if len(s) > maxAddress || strings.ContainsFunc(s, isUnseen) {
		return false
	}
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname())
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// isAddress reports whether s is a bare email address.
func isAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s && a.Name == "" && len(s) <= 254 && !strings.ContainsFunc(s, isUnseen)
}

// isUnseen reports whether r is a space, a control character or a format character. Format characters can make a URL
// or email address look like another one.
func isUnseen(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf) }
