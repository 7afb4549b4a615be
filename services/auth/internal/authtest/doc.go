// Package authtest gives tests the use cases of auth on a database of their own: consents,
// codes, tokens and their ends, without servers in front and without Redis. What the tests
// of package app show through gRPC, the tests of each use case show here in a second.
//
// It must never be linked into anything but tests.
package authtest
