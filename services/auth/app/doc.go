// Package app wires auth together: configuration, database, Redis, domain
// packages, gRPC services and background workers. It is the only package of the
// module that others import.
package app
