// Package grpcapi serves vitae.cvrender.v1 over gRPC: it converts messages to domain types and
// back.
//
// It must never decide what a CV shows.
package grpcapi
