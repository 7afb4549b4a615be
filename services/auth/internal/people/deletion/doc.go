// Package deletion deletes the accounts of people who request it (behaviour: account-data#deleting-the-account).
//
// A request pauses all apps immediately. For a week, the person can cancel it. Then the deletion takes four steps.
// First, the auth service revokes the credentials and deletes the person's rows. Second, the candidate service
// deletes all other data. A few minutes later, the candidate service and then the auth service delete everything
// again. This includes data that was in transit the first time: a batch of the request log, an audit event, an
// upload. A job performs the auth service's steps. The candidate service leases its own steps and reports their
// completion, because the auth service calls no other service.
//
// The package must never give up: steps can be repeated, and each step is retried until it succeeds.
package deletion
