// Package app assembles the gateway: connections to the services, admission, and the table of listeners
// (listeners.go), one for each interface. It is the only package of this module that other modules import:
// deploy/standalone runs all services in one process.
//
// The package must not implement any interface itself. To add an interface, write a package and add a row to
// the table.
package app
