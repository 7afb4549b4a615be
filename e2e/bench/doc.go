// Package bench measures a running stack of separate processes, with
//
//	go test -run '^$' -bench . -benchtime 1x
//
// The throughput of reads is compared with the throughput of a floor: a minimal net/http process that
// does the same work in Redis and Postgres. Both are measured alternately in the same run, so a busy
// machine slows down both.
//
// Other results that depend on the speed of the machine are measured as processor time, and compared
// with a baseline that is measured alternately, seconds apart.
//
// Benchmarks assert nothing. A benchmark fails only if it cannot measure.
package bench
