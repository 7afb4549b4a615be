// Package upgrade runs the services of the previous release together with those of this tree, on the
// schema of this tree, as during a rollout and after a rollback. Clients use both concurrently, and
// each release must pass its own end-to-end tests. Before the first release, the newest commit that
// changed a database baseline counts as the previous release (tools/release/last.sh).
//
// The tests take many minutes and need the programs and the tree of the previous release, which
// tools/release/before.sh builds. They therefore have the build tag `upgrade`, which `make
// test-upgrade` sets. golangci-lint always checks them.
package upgrade
