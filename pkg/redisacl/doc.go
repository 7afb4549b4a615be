// Package redisacl says what each part may do in Redis: users.acl is an ACL file of Redis 7
// with a user for each part, and one for operators. Every part can touch the keys that it
// needs, by the commands that it needs, and nothing else.
//
// The file is what operators install (docs/operations.md, "Users of Redis"), what
// deploy/docker/new-env.sh fills in, and what every Redis of pkg/backing has. So the tests
// of the whole system run under it.
//
// Redis checks a script twice: the call of EVAL with its keys, all of which count as
// written, and then each command in it by itself. So the gateway has a selector for calls
// of scripts alone; by its commands it can only read session records.
package redisacl
