// Package introspection tells that an access token lives and is its client's own, from the
// session records of both in Redis, which are read together (behaviour: tokens#introspection).
// So nobody asks auth about a token and a client that are in use.
//
// Only this one answer is given from records. Whatever else may be the case, auth is asked
// about and answers: a record that is missing says nothing (docs/architecture.md, "Live
// credential state").
//
// It must never take a client for authenticated on the strength of its own memory, which
// knows only the account of a client that has authenticated: that is where its record lies.
package introspection
