// Package backing runs a private Postgres and a private Redis as child
// processes, for `make run` and for tests: on loopback ports of their own, with
// random passwords, with data in a directory that the caller names.
//
// Postgres refuses to run as root, and Redis should not. When this process is root,
// they run as the system user `vitae` (made by deploy/setup.sh), else `postgres`,
// else `nobody`. A directory that this user cannot enter, such as a clone in root's
// home, becomes a symbolic link to a directory below /var/lib/vitae; Remove removes
// both.
//
// After kill -9 of any process the next start works. The servers die with their
// parent, a start first ends what is left of them, and committed data is still there.
//
// It must never touch a server that it did not start, bind to anything but
// loopback, or be linked into a production service.
package backing
