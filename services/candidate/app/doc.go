// Package app assembles the candidate service: its configuration, stores, use cases, workers and
// gRPC methods. Other services' code may import only this package of the service.
package app
