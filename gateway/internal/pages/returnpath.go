package pages

import (
	"net/url"
	"strings"

	"vitae.internal/gateway/internal/api/oauth"
)

const (
	// authorizePath is the consent page (spec: What the service does, 6).
	authorizePath = "/oauth/authorize"
	// legacyAuthorizePath is that of the older interface.
	legacyAuthorizePath = oauth.LegacyConsentPath
	// afterSignIn is where people go who came for nothing else.
	afterSignIn = "/connections"
	// returnField names the return path in queries and forms.
	returnField = "return"
	// maxReturnPath is its longest value in bytes: an authorization request with
	// every parameter at its longest, percent-encoded.
	maxReturnPath = 24 << 10
)

// localPath checks a path that came from outside and to which the browser is to
// return. Only pages that need a person are possible targets; with that list there
// is nothing to get wrong about "//host", "/\host" and the like. The query stays as
// it is, so that an authorization request comes back with all its parameters.
func localPath(s string) (string, bool) {
	if len(s) > maxReturnPath {
		return "", false
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || u.Fragment != "" {
		return "", false
	}
	if !isConsent(u.Path) && u.Path != afterSignIn || u.RawPath != "" || !strings.HasPrefix(s, u.Path) {
		return "", false
	}
	if u.RawQuery == "" {
		return u.Path, true
	}
	return u.Path + "?" + oauth.Printable(u.RawQuery), true
}

// isConsent reports whether a path is one of the two consent pages.
func isConsent(path string) bool { return path == authorizePath || path == legacyAuthorizePath }

// readAuthorization reads the authorization request that a consent page is opened
// with. The path alone says which interface it is for.
func readAuthorization(u *url.URL) oauth.AuthorizationRequest {
	if u.Path == legacyAuthorizePath {
		return oauth.ReadLegacyAuthorization(u.RawQuery)
	}
	return oauth.ReadAuthorization(u.RawQuery)
}

// returnPath is localPath with a safe answer for everything.
func returnPath(s string) string {
	if path, ok := localPath(s); ok {
		return path
	}
	return afterSignIn
}
