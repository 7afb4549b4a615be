// Package observability checks that what deploy/observability ships fits together: rules,
// dashboards, runbook, and the metrics that the parts have. Package drill runs it.
package observability
