// Package redisacl defines the permissions of each service in Redis. users.acl is an ACL file for
// Redis 7 with a user for each service and one for operators. Each service can access only the keys
// that it needs, with only the commands that it needs.
//
// Operators install the file (docs/operations.md, "Users of Redis"). deploy/docker/new-env.sh
// inserts the passwords, and every Redis started by pkg/backing uses the file, so all tests of the
// system run with it.
//
// Redis checks a script twice: the EVAL call with its keys, all of which count as written, and each
// command in the script. The gateway therefore has a selector that applies only to EVAL calls.
// With other commands, it can read session records but not change them.
package redisacl
