// Package deletion deletes the accounts of people who request it
// (behaviour: account-data#deleting-the-account).
//
// A request pauses all apps immediately. For a week, the person can cancel it. Then the deletion
// takes four steps. First, auth revokes the credentials and deletes the person's rows. Second,
// candidate deletes all other data. Some minutes later, candidate and then auth delete everything
// again, including data that was in transit the first time: a batch of the request log, an audit
// event, an upload. A job performs auth's steps. Candidate leases its steps and reports their
// completion, because auth calls no other service.
//
// It must never give up: a step can be repeated, and is retried until it succeeds.
package deletion
