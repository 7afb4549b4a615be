// Package e2e proves the promises of the whole system from outside: over HTTP, in
// a real browser, with vitaectl and with a partner's OAuth library, against the
// same processes that an operator runs, with two replicas of the edge.
//
//	go test ./e2e/...                                  # builds and starts a stack of its own
//	E2E_BIN=bin go test ./e2e/...                      # the same, with binaries that are there
//	E2E_BASE_URL=… E2E_DATA_DIR=… go test ./e2e/...    # against a stack that runs
//	E2E_SCREENSHOTS=shots go test -run Browser ./e2e   # keeps pictures of the pages
//
// The tests live in this folder, one file for a promise; the packages in internal
// drive the system:
//
//	stack    starts and stops the system, runs vitaectl
//	world    people, apps, employers and the rest to import, new for every test
//	person   a person without a browser: posts the forms of the pages
//	browser  a person with one: Chromium, by accessible names
//	partner  a partner's server: the OAuth endpoints, the REST API with a token or
//	         an API key, and the legacy interface
//
// A test imports a world of its own, so tests run in parallel on one stack. It
// must never read a database of the system, import a service, or know more of a
// page than its accessible names. The one exception searches the databases for
// secrets, which must not be there.
package e2e
