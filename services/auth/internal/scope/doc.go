// Package scope has sets of scopes and the rules between scopes, once, so that no grant
// can forget one. The words are those of pkg/scope.
//
// It must never mix user scopes and company scopes (behaviour: tokens#two-credential-kinds).
package scope
