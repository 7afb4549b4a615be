// Package authtest runs the auth service's use cases against a test database, without gRPC or Redis: consents, codes
// and tokens, and their revocation. Tests of use cases run faster here than in package app, which goes through gRPC.
//
// The package must be linked only into tests.
package authtest
