// Package deletion deletes the accounts of people who ask for it
// (behaviour: account-data#deleting-the-account).
//
// A request pauses all apps immediately. For a week, the person can cancel it. Then a job ends the
// credentials, deletes the person's rows in auth, and has candidate delete the rest. Each step can
// be repeated, so after a crash the job starts again with the first. Some minutes later it deletes
// everything again, including data that was in transit during the first pass: a batch of the
// request log, an audit event, an upload.
//
// It must never give up: a deletion that has begun is retried until everything is deleted.
package deletion
