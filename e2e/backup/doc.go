// Package backup backs a stack up while it works, loses its Postgres, and restores it, by
// the commands of docs/operations.md. It then looks for what clients were told: nothing that
// was revoked is accepted, whenever that was; nothing from before the moment of the restore
// is lost.
package backup
