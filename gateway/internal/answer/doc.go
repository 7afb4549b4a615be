// Package answer converts errors to HTTP responses for the whole gateway. It defines the public error codes
// with their statuses and descriptions, the JSON envelope, the headers of error responses, and entity tags
// (behaviour: errors, requests#envelope).
//
// Services return an errs.Error. FailureOf decides how much of it a client sees. The OAuth endpoints, the
// legacy interface and the pages write the Failure in their own formats.
//
// The package must never reveal the cause of an internal error, and it must never decide whether a request is
// allowed.
package answer
