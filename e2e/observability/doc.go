// Package observability checks that the files of deploy/observability are consistent: rules, dashboards
// and runbook with each other, and with the metrics of the services. Package drill runs them.
package observability
