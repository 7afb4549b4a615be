// Package e2e contains the tests of the whole system from outside: over HTTP, in a real browser,
// with vitaectl, over gRPC and with OAuth libraries that partners use. They run what `make run`
// starts, with two replicas of the gateway. Where tests stop or measure single services, each
// service has its own process.
//
//	go test ./e2e/signin/                                       builds the programs and starts a stack
//	E2E_BIN=$PWD/bin go test ./e2e/signin/                      the same, with programs that are built
//	go run ./e2e/cmd/teststack go test ./e2e/...                all packages that can share a stack on one
//	E2E_BASE_URL=… E2E_DATA_DIR=… go test ./e2e/signin/         against a stack that runs
//	E2E_SCREENSHOTS=shots go test -run Browser ./e2e/signin/    keeps pictures of the pages
//
// Each folder has the tests of one subject, and its main_test.go says what it proves:
//
//	signin      from a partner's site through sign-in and consent and back; the pages
//	tokens      codes and tokens: redeemed, rotated, introspected, revoked
//	sharing     what a connected app sees: JSON, PDF, durable links
//	partnerapi  companies, jobs, applications and resumes, with an API key
//	legacy      the legacy interface for profile sharing
//	limits      quotas, minutes and bursts
//	document    the OpenAPI document, generated clients, the guides
//	operators   starts and stops, killed services, vitaectl, gRPC, usage, secrets
//	faults      every service broken in every way, under load
//	bench       benchmarks
//
// The programs in clients are built on generated and certified clients; document runs them. The
// packages in internal drive the system and assert what it answers:
//
//	stack       starts and stops the system, runs vitaectl
//	suite       starts the stack of a package of tests, judges every answer
//	world       people, apps, employers and the rest to import, new for every test
//	scene       what a test starts from: a world, with some steps done
//	partner     a partner's server: OAuth, the REST API, the legacy interface
//	person      a person without a browser, who sends the forms of the pages
//	browser     a person with Chromium, who finds elements by accessible names
//	page        reads HTML by accessible names
//	expect      asserts what an answer must be
//	contract    compares answers with the OpenAPI document
//	stored      reads everything in the databases and in Redis
//
// Each test imports its own world; tests therefore run in parallel on one stack, even those of
// several packages. A test must not count what others change too: lists of everything, log lines,
// metrics. It must not import a service, or use more of a page than its accessible names. Tests read
// databases (stored) only to prove that something, such as a secret, is not in them.
package e2e
