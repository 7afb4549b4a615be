// Package daemon runs one part as a process: it loads the identity, listens,
// serves gRPC and the operations endpoints, and stops in order. Every
// cmd/<name>/main.go is a few lines on top of it, and the standalone stack runs
// the same parts side by side in one process.
package daemon
