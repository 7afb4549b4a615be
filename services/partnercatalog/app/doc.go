// Package app assembles the partner catalogue, the service that owns companies and jobs. Other
// modules import no other package of this one.
package app
