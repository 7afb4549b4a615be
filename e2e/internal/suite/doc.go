// Package suite provides a system for the tests of a package. It builds the programs, starts a stack
// with two gateway replicas, compares every response of the REST API with the OpenAPI document, and
// stops the stack. The tests of a package share one stack, because a stack takes seconds to start and
// uses hundreds of megabytes. The command teststack starts a stack for several packages. A test that
// needs different settings starts its own stack.
package suite
