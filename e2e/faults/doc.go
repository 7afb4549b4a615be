// Package faults runs the real programs, each in a process of its own, and breaks
// one after the other under load: killed, frozen, emptied, stopped, ended in order,
// cut off from what they need. After every fault it audits what was promised to
// clients: nothing that was acknowledged is lost or doubled, nothing that was revoked
// is accepted, no limit is overspent, no file is broken, and what did not need the
// broken part went on.
//
// The short form runs with every other test; FAULTS=all (`make test-faults`) breaks
// every part in every way. Each entry of the table in docs/operations.md names the
// tests here that do it, and a test that is no entry fails.
//
// It must know nothing of how a part works inside: what it sees are answers, metrics
// and log lines, what operators see. Only the test of graceful ends holds locks in
// databases, to have requests under way for as long as it wants.
package faults
