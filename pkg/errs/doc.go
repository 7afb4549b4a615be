// Package errs defines the errors that the domain code of every service returns. An error has a
// kind, a stable reason code, a message that is safe to show to callers, the invalid fields, and
// optionally a retry delay.
//
// The package is independent of gRPC and HTTP. grpcx converts errors to gRPC statuses and back;
// only the gateway converts them to HTTP statuses and bodies.
package errs
