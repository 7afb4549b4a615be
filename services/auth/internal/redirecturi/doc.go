// Package redirecturi says which redirect URIs an app may register and which
// URI of a request matches one (spec: OAuth client authentication; decision 17).
//
// Matching is by characters. It must never normalise, decode or resolve: every
// difference between what is compared and what a browser then does is a hole.
package redirecturi
