package authorization

import (
	"mime"
	"net/http"
	"strings"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// StaysHere reports whether to show the fault of a checked request on a page instead of redirecting to the app.
// This is the case for requests from a browser and for apps without a verified publisher. Otherwise, anyone
// could register an app and use Vitae as an open redirector (RFC 9700 §4.11.2)
// (behaviour: sign-in#faults-with-redirect).
func StaysHere(r *http.Request, checked *authv1.CheckAuthorizationResponse) bool {
	return checked.GetFault() != nil && !checked.GetPublisherVerified() && AcceptsPage(r.Header)
}

// AcceptsPage reports whether Accept contains text/html, as it does when a person opens a URL in a
// browser.
func AcceptsPage(h http.Header) bool {
	for _, field := range h.Values("Accept") {
		for one := range strings.SplitSeq(field, ",") {
			if name, _, err := mime.ParseMediaType(one); err == nil && name == "text/html" {
				return true
			}
		}
	}
	return false
}
