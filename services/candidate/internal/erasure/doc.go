// Package erasure deletes all of a person's data in the candidate service
// (behaviour: account-data#what-is-deleted). The auth service decides who is deleted: a job leases
// people from auth, deletes their data, and reports the people it has deleted. auth leases the
// others again.
//
// It deletes bytes before their rows, and the profile last, so a retry after a crash finds
// everything that is left.
package erasure
