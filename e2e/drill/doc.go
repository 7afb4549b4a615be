// Package drill runs what deploy/observability ships. A real Prometheus with the shipped
// configuration scrapes a real stack. The tests break the stack in the way that each alert is
// for, until every alert has fired and every query of every dashboard has returned data. A real
// collector with the shipped configuration receives the traces of a stack and passes them on.
// `make test-observability` runs it.
//
// To finish in minutes instead of hours, the tests give Prometheus shorter times than operators
// do. Every window of a rule is divided by 60, and every wait ("for") by 3600, to a second at
// least. Expressions and thresholds are as shipped.
package drill
