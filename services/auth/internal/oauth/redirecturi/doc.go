// Package redirecturi decides which redirect URIs an app may register, and whether the URI in a request matches a
// registered one (behaviour: sign-in#redirect-uris).
//
// It compares URIs character by character. It must never normalize, decode or resolve a URI: if it compared anything
// other than the exact URI that the browser follows, an attacker could exploit the difference.
package redirecturi
