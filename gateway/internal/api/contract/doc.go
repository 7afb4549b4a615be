// Package contract reads what the .proto files say of REST: which methods are
// served, with which credential, and what JSON makes of their fields
// (vitae.options.v1).
//
// It must never know a single service or route: what it cannot read in a
// descriptor is not part of the contract.
package contract
