// Package rpcmetrics counts and times gRPC calls, those that a process takes and those that
// it makes. The names and labels are the ones that dashboards for gRPC in Go expect
// (go-grpc-middleware), so that these work here.
//
// What counts a method is made once and found by its name afterwards: a call costs two
// additions and no memory. The counters of go-grpc-middleware look every label up in every
// call, with a slice of labels for each.
package rpcmetrics
