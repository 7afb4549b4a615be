// Package backing runs a private Postgres and Redis as child processes, for `make run` and for
// tests. They listen on loopback ports and have random passwords.
//
// If this process is root, they run as the system user `vitae` (created by deploy/setup.sh), else as
// `postgres` or `nobody`. A directory that this user cannot enter becomes a symbolic link to one
// below /var/lib/vitae.
//
// The servers end with their parent. The next start ends what a killed run left, and keeps committed
// data.
//
// The package must not touch servers that it did not start, listen on anything but loopback, or be
// linked into a production service.
package backing
