// Package stack starts a local stack, watches it, and stops it: servers, certificates,
// parts, the demo world, the example partner site. Each starts after what it needs, and
// they stop in the opposite order.
package stack
