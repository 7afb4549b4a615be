// Package child starts processes that never outlive their parent, and stops them by process id.
//
// A child has its own process group, so that Ctrl-C in a terminal reaches only the parent, which
// then stops its children in the right order. If the parent dies unexpectedly (kill -9, a crash),
// the kernel sends the child its end signal (PR_SET_PDEATHSIG). When the child exits, the rest of
// its group is killed. The package supports only Linux.
//
// The package must never stop a process that it did not start, or search for processes by name.
package child
