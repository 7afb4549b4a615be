// Package testkit gives tests a real Postgres and a real Redis. A server that
// cannot be had fails the test and says what to install; nothing is ever skipped.
//
// Every test package that uses it has
//
//	func TestMain(m *testing.M) { testkit.Main(m) }
//
// and its tests take what they need:
//
//	url := testkit.Database(t, "auth", postgres.Migrate)  // a migrated database of this test's own
//	c := testkit.OwnedDatabase(t, "auth_roles", postgres.Prepare)  // the same, for a service whose role does not own it
//	url := testkit.Redis(t)                               // an empty logical database of this test's own
//	r := testkit.PrivateRedis(t)                          // a whole server: for FLUSHALL, Stop, Kill, Restart, Freeze, Thaw
//	c := testkit.RedisCluster(t)                          // a cluster of three servers
//	pg := testkit.PrivatePostgres(t)                      // a whole server: for Stop, Kill, Restart, Freeze, Thaw
//
// Database and Redis return connection URLs as VITAE_POSTGRES_URL and
// VITAE_REDIS_URL take them. A Database is a copy of a template that is migrated
// once per test binary, so it costs some 50 ms; its role owns it and is, as in a
// deployment, no superuser. It is dropped when the test ends, with whatever
// connections are still open. The tests of one package may run in parallel.
//
// Database and Redis use the servers at VITAE_TEST_POSTGRES_URL (a superuser's
// URL) and VITAE_TEST_REDIS_URL where these are set, as `make test` does. Unset,
// each test binary starts servers of its own at the first need and stops them in
// Main, so that `go test ./...` works anywhere.
//
// It must never be linked into a binary other than tests and the command
// testservers, and must never touch a database that it did not make.
package testkit
