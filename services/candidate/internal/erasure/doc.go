// Package erasure deletes all of a person's data in the candidate service
// (behaviour: account-data#what-is-deleted). The auth service decides who is deleted. A job leases
// people from the auth service, deletes their data, and reports that it has done so. Until then,
// the auth service leases the same people again.
//
// It deletes files before their database rows, and the profile last, so a retry after a crash finds
// everything that is left.
package erasure
