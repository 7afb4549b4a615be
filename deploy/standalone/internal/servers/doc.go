// Package servers provides Postgres and Redis for a local stack: private ones, or those of
// VITAE_POSTGRES_URL and VITAE_REDIS_URL. Each service has a database and a role that cannot
// connect to others.
package servers
