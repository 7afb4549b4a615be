// Package redisacl defines what each service may do in Redis. users.acl is an ACL file for Redis 7
// with a user for each service and one for operators. Every service can access the keys that it
// needs with the commands that it needs, and nothing else.
//
// Operators install the file (docs/operations.md, "Users of Redis"), deploy/docker/new-env.sh fills
// it in, and every Redis of pkg/backing uses it. Therefore, all tests of the system run with it.
//
// Redis checks a script twice: the call of EVAL with its keys, all of which count as written, and
// each command in the script. Therefore the gateway has a selector for calls of scripts only; its
// commands can only read session records.
package redisacl
