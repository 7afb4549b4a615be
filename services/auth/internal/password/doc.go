// Package password hashes and checks passwords with argon2id (RFC 9106) at the cost that
// OWASP recommends, and knows the passwords that are too common to be set. It bounds how
// many computations run at once and how many wait, because each of them needs 19 MiB and
// tens of milliseconds, and lets those that wait take turns.
//
// It must never keep, log or return a password.
package password
