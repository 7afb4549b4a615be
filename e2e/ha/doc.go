// Package ha runs the whole system on clusters of real servers, as operators do if one machine is not
// enough. It uses Postgres with synchronous standbys under Patroni, PgBouncer, Redis under Sentinel and
// as a cluster, and an S3 server. It stops their primaries under load, and then checks that no
// acknowledged write is lost, that no revoked credential is accepted, and that requests are no longer
// refused.
//
// Each test prints the impact of the failover. `make test-ha` installs the necessary programs and runs
// the tests.
package ha
