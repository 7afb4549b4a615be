// Package audit says what an event of the audit log is, and follows a call while it is
// served, so that every event tells who did what, on what, from which address, with which
// request id, and how it ended (behaviour: audit).
//
// pkg/grpcserver makes a Call for each method that the contract names an action of, and
// puts it into the context. A store that makes the change takes the event from the Call's
// Transaction and writes it in the transaction of the change. grpcserver stores the rest
// after the handler: what was refused, and what a store did not record. candidate and
// partnercatalog write into package outbox, and package relay passes the events on to auth.
//
// An event never holds a secret. Its texts are ids, words of this package, addresses and
// error codes; Clean drops everything else.
package audit
