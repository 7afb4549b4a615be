// Package backup backs up a stack under load, destroys its Postgres, and restores it with the
// commands of docs/operations.md. It then checks the stack against the answers that clients got.
// Nothing that was revoked at any time is accepted, and nothing from before the restored point in
// time is lost.
package backup
