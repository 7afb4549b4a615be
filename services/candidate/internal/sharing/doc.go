// Package sharing serves shared data to partners and to the public page. It reads a person and the
// selected CV in a single query, and passes both through package projection.
//
// It must never return stored data directly, only the output of package projection.
package sharing
