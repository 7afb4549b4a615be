// Package testkit starts a real Postgres and a real Redis for tests. If a server cannot be started,
// the test fails with a message that names the package to install; tests are never skipped.
//
// Every test package that uses testkit needs a TestMain:
//
//	func TestMain(m *testing.M) { testkit.Main(m) }
//
// Its tests call the functions for the servers that they need:
//
//	url := testkit.Database(t, "auth", postgres.Migrate)  // a migrated database for this test
//	c := testkit.OwnedDatabase(t, "auth_roles", postgres.Prepare)  // the same, for a service whose role does not own it
//	url := testkit.Redis(t)                               // an empty logical database for this test
//	r := testkit.PrivateRedis(t)                          // a whole server: for FLUSHALL, Stop, Kill, Restart, Freeze, Thaw
//	c := testkit.RedisCluster(t)                          // a cluster of three servers
//	pg := testkit.PrivatePostgres(t)                      // a whole server: for Stop, Kill, Restart, Freeze, Thaw
//
// Database and Redis return connection URLs for VITAE_POSTGRES_URL and VITAE_REDIS_URL. Database
// copies a template that is migrated once per test binary, so it takes only about 50 ms. As in a
// deployment, the role in the URL owns the database and is not a superuser. The database is dropped
// when the test ends, even if connections are still open. Tests in a package may run in parallel.
//
// Database and Redis use the servers at VITAE_TEST_POSTGRES_URL (with a superuser) and
// VITAE_TEST_REDIS_URL if these are set, as they are in `make test`. Otherwise, each test binary
// starts its own servers on first use and stops them in Main, so that `go test ./...` works
// anywhere.
//
// Only tests and the command testservers may import testkit. It must never touch a database that it
// did not create.
package testkit
