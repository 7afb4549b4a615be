// Package ha runs the whole system on clusters of real servers, as operators do when one machine
// is not enough. It uses Postgres with synchronous standbys under Patroni, PgBouncer, Redis under
// Sentinel and as a cluster, and an S3 server. It ends their primaries under load, and checks
// every earlier answer to clients: no acknowledged write is lost, and no ended credential is
// accepted. Refusals end with the failover.
//
// Each test prints what the failover cost. `make test-ha` runs it and installs what it needs.
package ha
