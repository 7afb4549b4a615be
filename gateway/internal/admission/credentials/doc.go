// Package credentials tells whether a credential is live, as the edge knows it:
// from its session record in Redis when there is one, from auth otherwise
// (docs/architecture.md, "Live credential state").
//
// It must never accept a credential on anything that it remembers itself. Its
// cache says only which account a credential belongs to, which is needed to find
// the record, and a call to auth is shared only by requests that were there
// before the call began: a request that comes after a revoke has answered never
// gets an answer that was read before.
package credentials
