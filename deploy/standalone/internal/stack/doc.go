// Package stack starts, watches and stops a local stack: servers, certificates, services, the demo data and the example
// partner site. Servers and services start in the order of their dependencies and stop in reverse order.
package stack
