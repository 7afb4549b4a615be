// Package stack runs the whole system as a user would: the vitae binary with every
// part in a process of its own, two replicas of the edge, a private Postgres and
// Redis, on free ports, in a data folder of its own. Or it finds one that runs
// already (E2E_BASE_URL).
//
// It ends only what it started, by process id, and says so when anything is left.
package stack
