// Package backup backs up a stack under load, destroys its Postgres, and restores it with the commands
// of docs/operations.md. It then compares the stack with the responses that clients have received.
// Nothing that was ever revoked may be accepted, and nothing from before the restored point in time may
// be lost.
package backup
