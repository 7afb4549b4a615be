// Package credentials verifies credentials: by the session record in Redis if there is
// one, by a call to auth otherwise (docs/architecture.md, "Live credential state").
//
// It must never accept a credential from its own cache, which only knows the account of
// a credential, to find its record. Requests share a call to auth only if they arrived
// before it began. So a request after a revoke has answered never sees the state from
// before the revoke (behaviour: tokens#revoked-means-revoked).
package credentials
