// Package telemetry provides the output of a service for operators: structured logs, traces,
// metrics and the health endpoints. It must never output a secret.
package telemetry
