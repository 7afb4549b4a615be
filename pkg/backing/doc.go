// Package backing runs a private Postgres and a private Redis as child
// processes, for `make run` and for tests: on loopback ports of their own, with
// random passwords, with data in a directory that the caller names.
//
// Both refuse or should not run as root. When we are root they run as the system
// user `vitae` (made by deploy/setup.sh), else `postgres`, else `nobody`. A
// directory that this user cannot enter, such as a clone in root's home, becomes
// a symbolic link to a directory below /var/lib/vitae; Remove removes both.
//
// A start after kill -9 of anything works: the servers die with their parent,
// what is left of them is ended first, and what was committed is still there.
//
// It must never touch a server that it did not start, bind to anything but
// loopback, or be linked into a production service.
package backing
