// Package drill tests the files that deploy/observability ships. A real Prometheus with the shipped
// configuration scrapes a real stack. The tests break the stack in the way that each alert is meant to
// detect, until every alert has fired and every query of every dashboard has returned data. A real
// collector with the shipped configuration receives and exports the traces of a stack. `make
// test-observability` runs the tests.
//
// To finish in minutes instead of hours, the tests use shorter times than operators do. Every window of
// a rule is divided by 60, and every wait ("for") by 3600, with a minimum of one second. Expressions
// and thresholds are unchanged.
package drill
