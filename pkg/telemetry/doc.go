// Package telemetry provides what operators see of a part: structured logs, traces, metrics and the
// health endpoints. It must never output a secret.
package telemetry
