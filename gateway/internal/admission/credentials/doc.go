// Package credentials verifies credentials. It reads the session record in Redis if there is one, and
// otherwise calls the auth service (docs/architecture.md, "Live credential state").
//
// The package must never accept a credential because it is in the package's cache, which only maps credentials to
// accounts so that records can be found. Requests share a call to the auth service only if they arrived before the call
// began. A request that arrives after a revocation has completed therefore never sees the state before it
// (behaviour: tokens#revoked-means-revoked).
package credentials
