// Package audit says what an event of the audit log is, and follows a call while it is
// served, so that every event tells who did what, on what, from which address, with which
// request id, and how it ended (behaviour: audit).
//
// pkg/grpcserver makes a Call for each method whose contract names an action, and puts it
// into the context: a parameter would go through some 60 signatures. A store that makes the
// change takes the event from the Call's Transaction and writes it in the transaction of the
// change. grpcserver stores the rest after the handler: refusals, and calls that the store did
// not record. candidate and partnercatalog write into package outbox, and package relay passes
// the events on to auth.
//
// An event never holds a secret. Its texts are ids, words of this package, addresses and
// error codes; Clean drops everything else.
package audit
