// Package telemetry is what operators see: structured logs, traces, metrics and
// the health endpoints. Nothing that it prints holds a secret.
package telemetry
