// Package child starts processes that never outlive the process that started
// them, and ends them by their process id.
//
// A child stands in a process group of its own, so that Ctrl-C in a terminal
// reaches only the parent, which then stops its children in the right order.
// When the parent dies without that (kill -9, a crash), the kernel delivers the
// child's end signal (PR_SET_PDEATHSIG). When the child ends, however it ends,
// what is left of its group is killed. Linux only.
//
// It must never end a process that it did not start, and never look for one by
// its name.
package child
