// Package grpcapi serves vitae.cvrender.v1 over gRPC: it turns messages into the types of
// the domain and back.
//
// It must never decide what a CV shows.
package grpcapi
