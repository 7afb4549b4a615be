// Package rest serves the REST methods of the contract. A Route reads an HTTP request strictly, calls the gRPC
// method through grpc-gateway, and writes the response in the envelope (docs/adr/0002-own-json-encoder.md,
// docs/adr/0010-grpc-gateway-for-stubs-only.md).
//
// The package must never decide who may call a method, which package admission does. It must never convert
// errors to statuses, which package answer does.
package rest
