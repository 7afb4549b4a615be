// Package datadir is the folder for what a local stack keeps between runs: secrets, certificates,
// the log, and the data of its Postgres and Redis. One stack at a time may use it.
package datadir
