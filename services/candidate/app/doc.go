// Package app assembles the candidate service: its configuration, stores, use cases, workers and
// gRPC methods. It is the only package of the service that others may import.
package app
