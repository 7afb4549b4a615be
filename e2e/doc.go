// Package e2e holds tests of the whole system, from outside: over HTTP, in a real
// browser, with vitaectl, over gRPC and with the OAuth libraries that partners use. They
// run what `make run` starts, with two replicas of the gateway; where tests stop or measure
// single parts, each part has its own process.
//
//	go test ./e2e/signin/                                       builds the programs and starts a stack
//	E2E_BIN=$PWD/bin go test ./e2e/signin/                      the same, with programs that are built
//	go run ./e2e/cmd/teststack go test ./e2e/...                all packages that can share a stack on one
//	E2E_BASE_URL=… E2E_DATA_DIR=… go test ./e2e/signin/         against a stack that runs
//	E2E_SCREENSHOTS=shots go test -run Browser ./e2e/signin/    keeps pictures of the pages
//
// Each folder holds the tests of one subject, and says in its main_test.go what it
// proves:
//
//	signin      from a partner's site through sign-in and consent and back; the pages
//	tokens      codes and tokens: redeemed, rotated, introspected, revoked
//	sharing     what a connected app sees: JSON, PDF, durable links
//	partnerapi  companies, jobs, applications and resumes, with an API key
//	legacy      the legacy interface for profile sharing
//	limits      quotas, minutes and bursts
//	document    the OpenAPI document, generated clients, the guides
//	operators   starts and ends, killed parts, vitaectl, gRPC, usage, secrets
//	faults      every part broken in every way, under load
//	bench       benchmarks
//
// The programs in clients are built on generated and certified clients; document runs
// them. The packages in internal drive the system and assert what it answers:
//
//	stack       starts and stops the system, runs vitaectl
//	suite       gives the tests of a package their stack, judges every answer
//	world       people, apps, employers and the rest to import, new for every test
//	scene       what a test starts from: a world, with some steps done
//	partner     a partner's server: OAuth, the REST API, the legacy interface
//	person      a person without a browser: posts the forms of the pages
//	browser     a person with a browser: Chromium, by accessible names
//	page        reads HTML by accessible names
//	expect      asserts what an answer must be
//	contract    compares answers with the OpenAPI document
//
// A test imports a world of its own, so that tests run in parallel on one stack, also those
// of several packages. It must not count what others change too: lists of everything, lines
// of the log, metrics. It must never import a service, read a database of the system, or know
// more of a page than its accessible names. One test searches the databases for secrets,
// which must not be there.
package e2e
