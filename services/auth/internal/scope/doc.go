// Package scope knows the scopes of the specification and the rules between
// them, once, so that no grant can forget one.
//
// It must never mix the two worlds: a user scope is never a company scope
// (spec: Two credential kinds).
package scope
