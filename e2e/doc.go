// Package e2e contains black-box tests of the whole system: over HTTP, in a real browser, with
// vitaectl, over gRPC and with OAuth libraries that partners use. They test the same system as `make
// run`, with two replicas of the gateway. Where tests stop or measure single services, each service has
// its own process.
//
//	go test ./e2e/signin/                                       builds the programs and starts a stack
//	E2E_BIN=$PWD/bin go test ./e2e/signin/                      uses existing binaries and starts a stack
//	go run ./e2e/cmd/teststack go test ./e2e/...                runs all packages that can share a stack on one
//	E2E_BASE_URL=… E2E_DATA_DIR=… go test ./e2e/signin/         uses a running stack
//	E2E_SCREENSHOTS=shots go test -run Browser ./e2e/signin/    saves screenshots of the pages
//
// Each folder holds the tests of one subject, and its main_test.go states what they prove:
//
//	signin      from a partner's site through sign-in and consent and back; the pages
//	tokens      codes and tokens: redeemed, rotated, introspected, revoked
//	sharing     what a connected app sees: JSON, PDF, durable links
//	partnerapi  companies, jobs, applications and resumes, with an API key
//	legacy      the legacy interface for profile sharing
//	limits      quotas, rate limits and bursts
//	document    the OpenAPI document, generated clients, the guides
//	operators   starting and stopping, killed services, vitaectl, gRPC, usage, secrets
//	faults      every service failing in every way, under load
//	bench       benchmarks
//
// The programs in clients use generated and certified clients; the tests in document run them. The
// packages in internal drive the system and check its responses:
//
//	stack       starts and stops the system, runs vitaectl
//	suite       starts the stack of a test package, checks every response
//	world       people, apps, employers and more to import, new for every test
//	scene       the starting point of a test: a world, with some steps done
//	partner     a partner's server: OAuth, the REST API, the legacy interface
//	person      a person without a browser, who submits the forms of the pages
//	browser     a person with Chromium, who finds elements by accessible names
//	page        reads HTML by accessible names
//	expect      assertions on responses
//	contract    compares responses with the OpenAPI document
//	stored      reads everything in the databases and in Redis
//
// Each test imports its own world; tests can therefore run in parallel on one stack, even tests in
// different packages. A test must not count anything that other tests also change: lists of all objects, log
// lines, metrics. It must not import a service, or rely on anything in a page except its accessible
// names. Tests read databases (stored) only to prove that something, such as a secret, is not in them.
package e2e
