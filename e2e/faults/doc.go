// Package faults runs the real programs, each in a process of its own, and breaks
// one after the other under load: killed, frozen, emptied, stopped, ended in order.
// After every fault it audits what was promised to clients: nothing that was
// acknowledged is lost or doubled, nothing that was revoked is accepted, no limit is
// overspent, and what did not need the broken part went on.
//
// The short form runs with every other test; FAULTS=all (`make test-faults`) breaks
// every part in every way.
//
// It must know nothing of how a part works inside: what it sees are answers. Only
// the test of graceful ends holds a lock in a database, to have requests under way
// for as long as it wants.
package faults
