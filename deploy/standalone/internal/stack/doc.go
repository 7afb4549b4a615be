// Package stack starts, watches and stops a local stack: servers, certificates, services, the demo
// world and the example partner site. They start in order of their needs and stop in reverse.
package stack
