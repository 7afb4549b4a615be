// Package app is cvrender as one piece: its configuration, and what it takes to
// register it on a gRPC server. It is the only package of the service that
// others may import.
package app
