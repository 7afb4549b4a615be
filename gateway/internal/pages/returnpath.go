package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/location"
	"vitae.internal/gateway/internal/web"
)

const (
	signInPath  = "/sign-in"
	signOutPath = "/sign-out"
	// authorizePath is the consent page.
	authorizePath = "/oauth/authorize"
	// legacyAuthorizePath is the consent page of the legacy interface.
	legacyAuthorizePath = authorization.LegacyConsentPath
	// connectionsPath is where people go after sign-in if they requested no other page.
	connectionsPath = "/connections"
	// returnField names the return path in queries and forms.
	returnField = "return"
	// maxReturnPath is the longest return path in bytes: an authorization request with
	// every parameter at its longest, percent-encoded.
	maxReturnPath = 24 << 10
)

// ownPages are the pages of a person to which the browser returns after sign-in.
var ownPages = []string{connectionsPath, accountPath, dataPath, activityPath, documentsPath, applicationsPath}

// localPath checks a path that came from outside and to which the browser is to
// return. Only the consent pages, the editor and the pages of ownPages are possible targets. The
// query keeps its meaning, so that an authorization request comes back with all its
// parameters.
func localPath(s string) (string, bool) {
	if len(s) > maxReturnPath {
		return "", false
	}
	path, query, ok := web.LocalPath(s, func(path string) bool {
		return isConsent(path) || isOfEditor(path) || slices.Contains(ownPages, path)
	})
	if !ok || query == "" {
		return path, ok
	}
	return path + "?" + location.Printable(query), true
}

// returnPath is localPath with the connected apps in place of every other path.
func returnPath(s string) string {
	if path, ok := localPath(s); ok {
		return path
	}
	return connectionsPath
}

const (
	// returnCookie keeps the return path of a sign-up or a reset in the browser that requested the
	// email. The emailed link does not carry the path: a stranger who requests an email for someone
	// else's address must not choose the page on which that person arrives.
	returnCookie = "return"
	// returnLife is as long as the link of a sign-up works.
	returnLife = 24 * time.Hour
	// maxKept is the longest path that is kept, in bytes: sealed, it takes a third more, and browsers
	// drop cookies of more than 4 KB. With a longer one the person begins again at the app.
	maxKept = 2500
)

// keepReturn keeps the return path in this browser until an emailed link is followed.
func (s signIn) keepReturn(w http.ResponseWriter, back string) {
	if back == connectionsPath || len(back) > maxKept {
		s.site.ClearSealed(w, returnCookie)
		return
	}
	s.site.SetSealed(w, returnCookie, back, returnLife)
}

// takeReturn returns the path that this browser has kept, once.
func (s signIn) takeReturn(w http.ResponseWriter, r *http.Request) string {
	kept, _ := s.site.Sealed(r, returnCookie)
	s.site.ClearSealed(w, returnCookie)
	return returnPath(kept)
}

// isOfAccount and isOfDocuments report whether a path takes a form of the account, or one of
// the documents.
func isOfAccount(path string) bool   { return strings.HasPrefix(path, accountPath+"/") }
func isOfDocuments(path string) bool { return strings.HasPrefix(path, documentsPath+"/") }

// accountPageOf is the page of the account to which a path below it belongs.
func accountPageOf(path string) string {
	switch {
	case path == activityPath:
		return activityPath
	case path == dataPath, strings.HasPrefix(path, dataPath+"/"):
		return dataPath
	default:
		return accountPath
	}
}

// isOfEditor reports whether a path is a page of the editor.
func isOfEditor(path string) bool {
	return path == profilePath || path == cvsPath || strings.HasPrefix(path, profilePath+"/") || strings.HasPrefix(path, cvsPath+"/")
}

// isConsent reports whether a path is one of the two consent pages.
func isConsent(path string) bool { return path == authorizePath || path == legacyAuthorizePath }

// signInTo is the sign-in page that leads to a return path.
func signInTo(back string) string { return withReturn(signInPath, back) }

// withReturn is a page that leads to a return path in the end.
func withReturn(path, back string) string {
	if back == connectionsPath {
		return path
	}
	return path + "?" + url.Values{returnField: {back}}.Encode()
}

// signInFor is the sign-in page for a request that needs a session. What was posted
// is lost, except a consent, which is asked for again.
func signInFor(r *http.Request) string {
	switch {
	case r.URL.Path == signOutPath:
		return signInTo(returnPath(r.PostForm.Get(returnField)))
	case isOfAccount(r.URL.Path):
		return signInTo(accountPageOf(r.URL.Path))
	case isOfDocuments(r.URL.Path):
		return signInTo(documentsPath)
	case r.Method == http.MethodPost && !isConsent(r.URL.Path) && !isOfEditor(r.URL.Path):
		return signInTo(connectionsPath)
	default:
		return signInTo(returnPath(r.URL.RequestURI()))
	}
}

// formBehind is the page whose form was refused.
func formBehind(r *http.Request) string {
	switch {
	case isConsent(r.URL.Path), isOfEditor(r.URL.Path):
		return returnPath(r.URL.RequestURI())
	case r.URL.Path == signInPath, r.URL.Path == signInPasskeyPath:
		return signInTo(returnPath(r.PostForm.Get(returnField)))
	case r.URL.Path == signUpPath, r.URL.Path == resetPath:
		return withReturn(r.URL.Path, returnPath(r.PostForm.Get(returnField)))
	case r.URL.Path == signUpConfirmPath, r.URL.Path == resetChoosePath:
		return linkTo(r.URL.Path, r.PostForm.Get(tokenField))
	case isOfAccount(r.URL.Path):
		return accountPageOf(r.URL.Path)
	case isOfDocuments(r.URL.Path):
		return documentsPath
	default:
		return connectionsPath
	}
}
