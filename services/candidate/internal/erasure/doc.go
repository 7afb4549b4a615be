// Package erasure deletes everything that candidate holds of a person
// (behaviour: account-data#what-is-deleted). Service auth decides that, and asks until it is done.
//
// Bytes go before the rows that name them, and the profile goes last. So a crash leaves
// nothing that the next call does not find.
package erasure
