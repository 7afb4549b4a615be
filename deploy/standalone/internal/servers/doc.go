// Package servers gives the parts of a local stack their Postgres and Redis:
// private ones, or the ones that VITAE_POSTGRES_URL and VITAE_REDIS_URL name. In
// Postgres each service has a database and a role that may connect to no other.
package servers
