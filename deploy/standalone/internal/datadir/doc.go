// Package datadir manages the folder in which a local stack stores its state between runs: secrets, certificates, the
// log, and the data of its Postgres and Redis. Only one stack at a time may use the folder.
package datadir
