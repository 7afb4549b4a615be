// Package stack runs the whole system as `make run` does: the program vitae with all
// parts, or with each in its own process (VITAE_SPLIT=1), replicas of the gateway, a
// private Postgres and Redis, on free ports, in its own data folder. It can also attach to a stack that
// runs (E2E_BASE_URL).
//
// It ends only processes that it started, by process id, and reports those that are left
// behind.
package stack
