// Package faults runs the real programs, each in its own process, and breaks one after the other
// under load. It kills, freezes, empties or stops them, ends them gracefully, or cuts them off
// from what they need. After every fault it audits the promises to clients. No acknowledged write
// is lost or doubled, no revoked credential is accepted, no limit is overspent, and no file is
// broken. Requests that do not need the broken part are served.
//
// A short form runs with `make test`; FAULTS=all (`make test-faults`) breaks every part in
// every way. docs/operations.md, "When something is down", says what operators see.
//
// The package must not know how a part works inside. It sees what operators see: answers,
// metrics and log lines. Only the test of graceful ends holds locks in databases, to keep
// requests in progress.
package faults
