// Package errs is the one error type that the domain code of every service
// returns: a kind, a stable reason code, a message that is safe to show, and
// where it helps the field and the time to wait.
//
// It knows neither gRPC nor HTTP. grpcx turns it into a status and back, and
// the edge alone turns it into a status code and a body.
package errs
