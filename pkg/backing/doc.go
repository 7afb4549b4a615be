// Package backing runs a private Postgres and Redis as child processes, for `make run` and for
// tests. They listen on loopback ports and have random passwords.
//
// If this process runs as root, the servers run as the system user `vitae` (created by
// deploy/setup.sh), or else as `postgres` or `nobody`. A directory that this user cannot enter is
// replaced by a symbolic link to one below /var/lib/vitae.
//
// The servers exit with their parent. The next start kills processes left over from a killed run,
// and keeps committed data.
//
// The package must not touch servers that it did not start, listen on anything but loopback, or be
// linked into a production service.
package backing
