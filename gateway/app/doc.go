// Package app assembles the gateway: connections to the services, admission, and the
// table of listeners (listeners.go), one for each interface. It is the only package of
// this module that others import, since deploy/standalone runs all services in one
// process.
//
// It must not implement any interface. A new interface is a package and a row in the
// table.
package app
