// Package redirecturi decides which redirect URIs an app may register, and whether the
// URI of a request matches a registered one (behaviour: sign-in#redirect-uris).
//
// It compares characters. It must never normalise, decode or resolve a URI: if it
// compared something else than the URI that the browser follows, an attacker could use
// the difference.
package redirecturi
