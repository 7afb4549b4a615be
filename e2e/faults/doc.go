// Package faults runs the real programs, each in a process of its own, and breaks one
// after the other under load: it kills, freezes, empties or stops them, ends them in
// order, or cuts them off from what they need. After every fault it audits what was
// promised to clients: no acknowledged write is lost or doubled, no revoked credential is
// accepted, no limit is overspent, no file is broken, and requests that do not need the
// broken part are served.
//
// A short form runs with `make test`; FAULTS=all (`make test-faults`) breaks every part in
// every way. docs/operations.md, "When something is down", says what operators see.
//
// It must know nothing of how a part works inside. It sees what operators see: answers,
// metrics and log lines. Only the test of graceful ends holds locks in databases, to keep
// requests under way.
package faults
