// Package sharing answers partners and the public page: it reads a person and the
// chosen CV in one query, and passes both through package projection.
//
// It must never give out what it has read: only what the projection made of it.
package sharing
