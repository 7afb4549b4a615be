// Package errs is the error type that the domain code of every service returns: a
// kind, a stable reason code, a message that is safe to show, the fields that break
// a rule, and the time to wait where there is one.
//
// It knows neither gRPC nor HTTP. grpcx turns an error into a status and back. The
// gateway alone turns it into a status code and a body.
package errs
