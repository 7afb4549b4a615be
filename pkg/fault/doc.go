// Package fault collects the invalid fields of a request in the order in which they are checked, so
// that the caller can correct all of them at once.
//
// A fault consists of the path of a field, in proto names, and a clause such as "must not be
// blank". grpcx transmits the list as google.rpc.BadRequest. The REST API returns the first fault,
// and vitaectl prints all of them.
//
// A dry run (validate_only) reaches its handler even if the request violates rules in the .proto
// file, so that one call reports all faults.
//
// The package must never repeat the value of a field, which may be a password.
package fault
