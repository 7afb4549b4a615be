// Package legacy serves the legacy profile-sharing interface on its own listener (behaviour: legacy). It calls
// the same gRPC services as the REST API, but has its own envelope and error codes.
//
// The package must never decide anything about a client, a code, a token or a profile. The services do. The
// package must never show more than the REST API would.
package legacy
