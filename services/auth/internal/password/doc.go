// Package password hashes and checks passwords with argon2id (RFC 9106) at the
// cost that OWASP recommends, and bounds how many of these computations run at
// once: each holds 19 MiB.
//
// It must never keep, log or return a password.
package password
