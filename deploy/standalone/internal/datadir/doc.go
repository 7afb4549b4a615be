// Package datadir is the folder in which a local stack keeps what outlives a run:
// secrets, certificates, the log, and the data of its Postgres and Redis. One
// stack at a time may use it.
package datadir
