// Package sharing serves shared data to partners and the public page: it reads a person and
// the chosen CV in one query, and passes both through package projection.
//
// It must never return stored data, only the output of the projection.
package sharing
