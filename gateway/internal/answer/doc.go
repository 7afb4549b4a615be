// Package answer is the one place of the gateway that turns errors into HTTP
// answers. It holds the public codes with their statuses and their texts for
// partners, the envelope, the headers of a failure, and entity tags
// (behaviour: errors, requests#envelope).
//
// A part of Vitae reports an errs.Error; FailureOf decides what of it a client sees.
// Doors with another shape of errors (the OAuth endpoints, the legacy interface, the
// pages) take the Failure and write it in their shape.
//
// It must never show the cause of an internal error, and it must never decide
// whether a request is allowed.
package answer
