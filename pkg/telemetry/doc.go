// Package telemetry is what operators see of a part: structured logs, traces, metrics
// and the health endpoints. It must never print a secret.
package telemetry
