// Package fault collects what is wrong with the fields of a request: every field
// that breaks a rule, in the order in which the rules were checked, so that a
// caller can mend all of them at once.
//
// A fault is the path of a field in the names of the .proto and a clause that says
// what the field must be ("must not be blank"). grpcx carries the list over the
// wire as google.rpc.BadRequest. The REST API shows the first fault, vitaectl
// shows all of them.
//
// A dry run (validate_only) reaches its handler even if it breaks rules of the .proto, so
// that one call reports all faults.
//
// The package must never repeat the value of a field: it may be a password.
package fault
