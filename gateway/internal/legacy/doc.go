// Package legacy is the legacy profile-sharing interface, a listener of its own
// (behaviour: legacy). It translates requests to the same gRPC services that the
// REST API calls, with an envelope and codes of its own.
//
// It must never decide anything about a client, a code, a token or a profile: the
// services do. It must never show more than the REST API would.
package legacy
