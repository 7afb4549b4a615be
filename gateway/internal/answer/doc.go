// Package answer turns errors into HTTP responses for the whole gateway. It holds the
// public error codes with their statuses and descriptions, the JSON envelope, the
// headers of failures, and entity tags (behaviour: errors, requests#envelope).
//
// Services return an errs.Error; FailureOf decides how much of it a client sees. The
// OAuth endpoints, the legacy interface and the pages write the Failure in their own
// format.
//
// It must never show the cause of an internal error, and it must never decide
// whether a request is allowed.
package answer
