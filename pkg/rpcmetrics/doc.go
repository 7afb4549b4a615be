// Package rpcmetrics counts and times the gRPC calls that a process serves and makes. It uses the
// metric names and labels of go-grpc-middleware, which dashboards for gRPC in Go expect.
//
// The counters of a method are created once and then looked up by the method's name, so a call
// costs two additions and no allocation. go-grpc-middleware looks up every label in each call and
// allocates a slice for them.
package rpcmetrics
