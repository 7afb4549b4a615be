// Package authtest runs auth's use cases on a test database, without gRPC and Redis: consents,
// codes and tokens, and their revocation. Tests of the use cases are faster here than in package
// app, which uses gRPC.
//
// The package must be linked only into tests.
package authtest
