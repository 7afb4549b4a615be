// Package app assembles the candidate service: its configuration, its store, its use
// cases, its workers and its gRPC methods. It is the only package of the service that
// others may import.
package app
