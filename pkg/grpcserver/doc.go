// Package grpcserver implements the gRPC server of every service, with a fixed order of
// interceptors. They count, trace and log calls, and recover from panics. They check the caller's
// certificate, the credential and the scope against the access option of the method, and put the
// principal into the context. Finally, they validate the request, or every message of a stream.
//
// The package must not be linked into vitaectl, which only calls services: the validator would make
// up a third of the program.
package grpcserver
