// Package stack runs the whole system like `make run`: the program vitae with all services, or each
// service in its own process (VITAE_SPLIT=1), gateway replicas, and a private Postgres and Redis, on
// free ports and with a separate data folder. It can also attach to a running stack (E2E_BASE_URL). It
// kills only processes that it started, by process id, and reports any process that remains.
package stack
