// Package audit defines the events of the audit log and collects them during a call. An event
// records who did what to which object, the client address, the request id and the outcome
// (behaviour: audit).
//
// pkg/grpcserver creates a Call for each method whose contract names an action, and passes it in
// the context, because an extra parameter would change about 60 signatures. A store that makes a
// change gets the event from the Call's Transaction and writes it in the same database transaction.
// After the handler returns, grpcserver stores the remaining events: refusals, and calls for which
// the store recorded nothing. The candidate and partnercatalog services write events to package
// outbox, from which package relay sends them to the auth service.
//
// Events must never contain secrets. They consist of ids, words defined in this package, IP
// addresses and error codes; Clean removes everything else.
package audit
