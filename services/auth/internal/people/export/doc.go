// Package export reads everything that the auth service stores about a person, for an export that the person
// requests (behaviour: account-data#what-an-export-holds).
//
// It must never return a secret: no password hash, no token and no hash of a token.
package export
