// Package faults runs the real programs, each in its own process, and breaks one after another under
// load. It kills, suspends or stops processes, empties servers, or cuts processes off from their
// dependencies. After every fault it checks the promises to clients: no acknowledged write is lost or
// duplicated, no revoked credential is accepted, no limit is exceeded, and no file is broken. Requests
// that do not need the broken process are served.
//
// A short form runs with `make test`; FAULTS=all (`make test-faults`) breaks every process in every
// way. docs/operations.md, "When something is down", describes what operators see.
//
// The package must not know how a service works inside. It sees what operators see: responses, metrics
// and log lines. Only the test of graceful stops holds locks in databases, to delay requests.
package faults
