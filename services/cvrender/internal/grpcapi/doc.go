// Package grpcapi serves vitae.cvrender.v1 over gRPC: it turns messages into the
// domain's types and back, and decides nothing.
package grpcapi
