// Package deletion deletes the accounts of people who ask for it
// (behaviour: account-data#deleting-the-account).
//
// A request pauses all apps immediately. For a week, the person can cancel it. Then the deletion
// takes four steps: auth ends the credentials and deletes the person's rows, candidate deletes the
// rest, and some minutes later candidate and auth delete everything again, including data that was
// in transit the first time: a batch of the request log, an audit event, an upload. A job does the
// steps of auth. Candidate leases its steps and reports them, because auth calls no other service.
//
// It must never give up: a step can be repeated, and is retried until it succeeds.
package deletion
