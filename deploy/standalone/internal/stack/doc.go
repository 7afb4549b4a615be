// Package stack starts, watches and stops a local stack: servers, certificates, services, the demo data and the example
// partner site. They start in the order of their dependencies and stop in reverse order.
package stack
