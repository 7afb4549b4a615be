// Package app assembles the auth service from its configuration, database, Redis, domain packages, gRPC services and
// periodic jobs. Other modules must not import any other package of this module.
package app
