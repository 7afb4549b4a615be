// Package grpcapi serves vitae.cvrender.v1 over gRPC.
//
// It must never decide what a CV shows.
package grpcapi
