package authorization

import (
	"mime"
	"net/http"
	"strings"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// StaysHere reports whether the fault of a checked request is shown on a page instead of being sent
// to the redirect URI at once: to a browser, for an app whose publisher is not verified. Anybody can
// register an app, and a link to Vitae would lead anywhere (RFC 9700 §4.11.2)
// (behaviour: sign-in#faults-that-redirect).
func StaysHere(r *http.Request, checked *authv1.CheckAuthorizationResponse) bool {
	return checked.GetFault() != nil && !checked.GetPublisherVerified() && AcceptsPage(r.Header)
}

// AcceptsPage reports whether the client asks for a page: whether text/html is among the media types
// that it accepts by name, as in every browser's request for an address that a person opens.
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
