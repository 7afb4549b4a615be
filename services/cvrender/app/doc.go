// Package app assembles the cvrender service: its configuration, its browsers and its gRPC methods. It is the
// service's only package that code outside the service may import.
package app
