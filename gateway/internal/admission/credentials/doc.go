// Package credentials tells whether a credential is live: from its session record in
// Redis if there is one, from auth otherwise (docs/architecture.md, "Live credential
// state").
//
// It must never accept a credential on the strength of its own memory. Its cache
// knows only which account a credential belongs to, which is needed to find the
// record. Requests share a call to auth only if they arrived before the call began,
// so a request that arrives after a revoke has answered never gets a state from
// before the revoke (behaviour: tokens#revoked-means-revoked).
package credentials
