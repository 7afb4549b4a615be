// Package expect asserts what an answer must be: its status, its envelope, its error
// code, its fields. It also holds the few ways of reading an answer that these
// assertions need.
//
// It must never send a request.
package expect
