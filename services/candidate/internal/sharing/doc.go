// Package sharing serves shared data to partners and to the public page. It reads a person and the
// chosen CV in one query and passes both through package projection.
//
// It must never return stored data, but only the output of the projection.
package sharing
