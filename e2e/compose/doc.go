// Package compose runs the images and docker-compose.yml as they are, and does to them what
// operators and accidents do. Its tests take a Docker Engine and many minutes, so they are
// behind the build tag `compose`, which `make test-compose` sets; golangci-lint reads them
// always.
//
// engine.sh gives them an engine on a machine without one. They are Go tests because they
// share the browser, the partner and the person of the other end-to-end tests; what starts
// and ends an engine is a shell script, since it is about namespaces and signals.
package compose
