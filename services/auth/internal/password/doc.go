// Package password hashes and checks passwords with argon2id (RFC 9106) at the cost that
// OWASP recommends. It bounds how many computations run at once, because each of them
// needs 19 MiB.
//
// It must never keep, log or return a password.
package password
