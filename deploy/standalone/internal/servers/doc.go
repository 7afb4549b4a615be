// Package servers provides Postgres and Redis for a local stack. It starts private servers, or uses the servers that
// VITAE_POSTGRES_URL and VITAE_REDIS_URL name. Each service has its own database, and its roles cannot connect to other
// databases.
package servers
