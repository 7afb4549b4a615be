// Package app puts auth together: configuration, database, Redis, domain packages, gRPC
// services and periodic jobs. Other modules import no other package of this one.
package app
