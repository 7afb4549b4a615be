// Package daemon runs a service as a process: it loads the certificate, serves gRPC and the
// operations endpoints, and stops everything in order. Every cmd/<name>/main.go consists of a few
// lines that use it. The standalone program runs several services with it in one process.
package daemon
