// Package grpcserver is the gRPC server of every service, with a fixed order of interceptors. They
// count, trace and log calls, and recover from panics. They check the caller's certificate, the
// credential and the scope against the access option of the method, and put the principal into the
// context. Last, they validate the request. In streams, they validate every message.
//
// It must not be linked into vitaectl, which only calls services: the validator alone is a third of
// such a program.
package grpcserver
