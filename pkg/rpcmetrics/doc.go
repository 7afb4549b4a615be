// Package rpcmetrics counts and times the gRPC calls that a process serves and makes. It uses the
// names and labels of go-grpc-middleware, which dashboards for gRPC in Go expect.
//
// The counters of a method are created once and then looked up by its name, so a call costs two
// additions and no allocation. go-grpc-middleware looks up every label in each call with a new
// slice of labels.
package rpcmetrics
