// Package stack brings a local stack up, keeps it, and takes it down: servers,
// certificates, parts, the demo world, the example partner site, each after what
// it needs, and in the other direction at the end.
package stack
