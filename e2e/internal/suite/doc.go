// Package suite provides a system for the tests of one package. It builds the programs, starts a
// stack with two replicas of the gateway, compares every answer of the REST API with the OpenAPI
// document, and stops the stack. The tests of a package share one stack, because it takes seconds
// to start and some hundred megabytes. Command teststack starts one for several packages. A test
// that needs other settings starts another stack.
package suite
