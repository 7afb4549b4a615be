// Package app is the partner catalogue as one part: the service that owns
// companies and jobs. It is the only package of the module that others import.
//
// It puts the parts together and holds no rules.
package app
