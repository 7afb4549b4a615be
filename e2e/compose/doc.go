// Package compose builds the images, runs docker-compose.yml unchanged, and scales, upgrades and breaks
// the deployment. The tests need a Docker Engine and take many minutes, so they have the build tag
// `compose`, which `make test-compose` sets. golangci-lint always checks them.
//
// If there is no Docker Engine, engine.sh starts Debian's in new namespaces. The kernel kills all
// processes in the namespaces when the first process exits, even after `kill -9`, so cleanup cannot be
// skipped. The tests are in Go to share packages browser, partner and person with the other end-to-end
// tests.
package compose
