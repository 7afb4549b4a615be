// Package rest is the REST face of the gRPC services: the grpc-gateway mux with
// this project's JSON, the envelope, entity tags, and the one place where errors
// become HTTP statuses and bodies (spec: Envelope and paging, Errors).
//
// It must never decide who may call: internal/middleware does, by the rules that
// this package reads from the contract.
package rest
