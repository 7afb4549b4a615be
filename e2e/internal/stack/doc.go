// Package stack runs the whole system as an operator would: the program vitae with
// every part in a process of its own, replicas of the gateway, a private Postgres and
// Redis, on free ports, in a data folder of its own. It can also attach to a stack that
// runs (E2E_BASE_URL).
//
// It ends only processes that it started, by process id, and reports those that are left
// behind.
package stack
