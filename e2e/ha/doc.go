// Package ha runs the whole system on clusters of real servers, as operators do past one
// machine: Postgres with synchronous standbys under Patroni, PgBouncer, Redis under Sentinel
// and as a cluster, and an S3 server. It ends their primaries under load, and looks for
// everything that clients were told before: no acknowledged write is lost, no ended
// credential is accepted, and refusals end with the failover.
//
// Each test prints what the failover cost. `make test-ha` runs it and installs what it needs.
package ha
