// Package password hashes and checks passwords with argon2id (RFC 9106) at the cost recommended by OWASP, and
// recognizes passwords that are too common. Each computation needs 19 MiB and tens of milliseconds. The package
// therefore limits how many computations run and how many wait, and schedules the waiting ones fairly.
//
// It must never store, log or return a password.
package password
