// Package child starts processes that never outlive their parent, and ends them by process id.
//
// A child has its own process group, so that Ctrl-C in a terminal reaches only the parent, which
// then stops its children in the right order. If the parent dies unexpectedly (kill -9, a crash),
// the kernel sends the child its end signal (PR_SET_PDEATHSIG). When the child ends, the rest of
// its group is killed. Linux only.
//
// The package must never end a process that it did not start, or search for processes by name.
package child
