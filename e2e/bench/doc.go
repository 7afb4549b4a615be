// Package bench measures a running stack of separate processes, with
//
//	go test -run '^$' -bench . -benchtime 1x
//
// The throughput of reads is compared with that of a floor: one bare net/http process
// that does the same work in Redis and Postgres. Both are measured in turn in the same
// run, so that a busy machine slows down both.
//
// What depends on the speed of the machine beyond that is measured as processor time, of
// things that are compared in turn, seconds apart.
//
// A benchmark asserts nothing. It fails only if it cannot measure.
package bench
