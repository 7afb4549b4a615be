// Package testkit starts a real Postgres and a real Redis for tests. A test whose server cannot be
// started fails and says what to install; nothing is ever skipped.
//
// Every test package that uses it needs
//
//	func TestMain(m *testing.M) { testkit.Main(m) }
//
// Its tests take what they need:
//
//	url := testkit.Database(t, "auth", postgres.Migrate)  // a migrated database for this test
//	c := testkit.OwnedDatabase(t, "auth_roles", postgres.Prepare)  // the same, for a service whose role does not own it
//	url := testkit.Redis(t)                               // an empty logical database for this test
//	r := testkit.PrivateRedis(t)                          // a whole server: for FLUSHALL, Stop, Kill, Restart, Freeze, Thaw
//	c := testkit.RedisCluster(t)                          // a cluster of three servers
//	pg := testkit.PrivatePostgres(t)                      // a whole server: for Stop, Kill, Restart, Freeze, Thaw
//
// Database and Redis return connection URLs for VITAE_POSTGRES_URL and VITAE_REDIS_URL. A Database
// is a copy of a template that is migrated once per test binary, so it takes about 50 ms; as in a
// deployment, its role owns it and is not a superuser. It is dropped when the test ends, even if
// connections are still open. The tests of a package may run in parallel.
//
// Database and Redis use the servers at VITAE_TEST_POSTGRES_URL (with a superuser) and
// VITAE_TEST_REDIS_URL if these are set, as `make test` does. Otherwise each test binary starts its
// own servers when it first needs them and stops them in Main, so that `go test ./...` works
// anywhere.
//
// Only tests and the command testservers may import testkit. It must never touch a database that it
// did not create.
package testkit
