// Package grpcapi serves the contracts of vitae.auth.v1: each handler turns a
// message into a call of a domain package and the outcome back.
//
// It must never decide anything but who an Actor is.
package grpcapi
