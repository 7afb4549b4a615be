// Package scope implements sets of scopes and the rules for combining scopes. The rules are in one place so that no
// grant can miss one. The scopes are defined in pkg/scope.
//
// It must never mix user scopes and company scopes (behaviour: tokens#two-credential-kinds).
package scope
