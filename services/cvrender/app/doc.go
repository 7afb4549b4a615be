// Package app assembles the cvrender service: its configuration, its browsers and its gRPC methods. It is the
// only package of the service that other services may import.
package app
