// Package grpcserver is the gRPC server of every service, with a fixed order of interceptors. It
// counts calls, recovers from panics, traces and logs, checks the certificate of the caller, the
// credential and the scope against the access option of the method, puts the principal into the
// context, and validates the request before it calls the handler. In streams, it validates every
// message.
//
// It must not be linked into vitaectl, which only calls services: the validator alone is a third of
// such a program.
package grpcserver
