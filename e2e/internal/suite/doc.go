// Package suite gives the tests of one package a system to run against. It builds
// the programs, starts a stack with two replicas of the gateway, compares every
// answer of the REST API with the OpenAPI document, and stops what it started.
//
// Each package of tests has one shared stack, because a stack takes seconds to start
// and some hundred megabytes. Command teststack starts one for all packages that can share
// it. A test that needs other settings starts a stack of its own with Start.
package suite
