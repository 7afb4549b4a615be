// Package daemon runs a service as a process: it loads the certificate, serves gRPC and the
// operations endpoints, and shuts everything down in the right order. Every cmd/<name>/main.go
// calls it in a few lines. The standalone program uses it to run several services in one process.
package daemon
