// Package app is the partner catalogue as one part: the service that owns
// companies and jobs. Other modules import no other package of this one.
//
// It builds the part from its packages and holds no rules.
package app
