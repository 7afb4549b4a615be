// Package scope implements sets of scopes and the rules between scopes in one place, so that
// no grant can forget one. The scopes are defined in pkg/scope.
//
// It must never mix user scopes and company scopes (behaviour: tokens#two-credential-kinds).
package scope
