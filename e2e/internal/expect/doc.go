// Package expect contains assertions on responses: their status, envelope, error code and fields. It
// also contains the helpers to read responses that these assertions need.
//
// The package must not send requests.
package expect
