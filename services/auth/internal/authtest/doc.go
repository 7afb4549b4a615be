// Package authtest runs the use cases of auth on a test database, without gRPC and Redis:
// consents, codes, tokens and their ends. Tests of the use cases are faster here than those
// of package app, which use gRPC.
//
// It must be linked only into tests.
package authtest
