// Package erasure deletes all data of a person in candidate
// (behaviour: account-data#what-is-deleted). Service auth decides that: a job asks it for people to
// delete, and reports those that are deleted. auth leases the others again.
//
// It deletes bytes before their rows, and the profile last, so that a retry after a crash finds
// everything that is left.
package erasure
