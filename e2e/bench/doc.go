// Package bench measures a running stack of separate processes, with
//
//	go test -run '^$' -bench . -benchtime 1x
//
// Reads are given as a ratio: their throughput against a floor that does the same
// Redis and Postgres work in one bare net/http process, measured in turn with them
// in the same run, so that a noisy machine weighs on both.
//
// It judges nothing: it fails only when it cannot measure.
package bench
