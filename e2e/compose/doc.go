// Package compose builds the images, runs docker-compose.yml unchanged, and scales, upgrades
// and breaks it. The tests need a Docker Engine and many minutes, so they have the build tag
// `compose`, which `make test-compose` sets; golangci-lint always reads them.
//
// Without a Docker Engine, engine.sh starts Debian's in new namespaces. The kernel ends
// everything in them when their first process ends, even after `kill -9`, so no clean-up can
// be forgotten. The tests are in Go because they share the browser, partner and person of the
// other end-to-end tests.
package compose
