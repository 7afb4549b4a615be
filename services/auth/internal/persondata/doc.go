// Package persondata reads everything that auth holds of a person, for the export that the
// person asks for (behaviour: account-data#what-an-export-holds).
//
// It must never hold a secret: no password hash, no token, no hash of one.
package persondata
