// Package app assembles auth from configuration, database, Redis, domain packages, gRPC services
// and periodic jobs. Other modules import no other package of this module.
package app
