// Package deletion deletes the accounts of people who ask for it
// (behaviour: account-data#deleting-the-account).
//
// A request pauses every app at once and waits for a week, in which the person can keep the
// account. Then a job ends the credentials first, deletes what auth holds, and has candidate
// delete the rest. Every step may be done again, so a crash between two of them is followed by
// a round that begins with the first. All is deleted a second time some minutes later, for
// what was under way at the first: a batch of the request log, an event that another part had
// not passed on, an upload.
//
// It must never give up: a deletion that has begun stays until everything is gone.
package deletion
