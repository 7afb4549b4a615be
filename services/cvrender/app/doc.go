// Package app assembles cvrender: its configuration, its browsers, and its gRPC methods.
// It is the only package of the service that others may import.
package app
