// Package observability tests what deploy/observability ships: that the rules, dashboards
// and runbook fit each other, and, with OBSERVABILITY=all (make test-observability), that
// a real Prometheus with the shipped configuration, which scrapes a real stack, raises
// every alert when the stack is broken in the way that the alert is for, and that every
// query of every dashboard returns data.
//
// So that nobody waits for hours, the tests give Prometheus shorter times than operators
// do: every window of a rule is divided by 60, and every wait ("for") by 3600, to a second
// at least. Expressions and thresholds are as shipped.
package observability
