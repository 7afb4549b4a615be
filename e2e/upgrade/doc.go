// Package upgrade runs the services of the release before beside those of this tree, on the
// schema of this tree, as they run during a rollout and after one that was taken back.
// Clients use both at once, and each release must pass its own end-to-end tests. Until there is
// a first release, the newest commit that changed a baseline of the databases takes the place
// of the release before (tools/release/last.sh).
//
// Its tests need the programs and the tree of the release before, which
// tools/release/before.sh builds, and many minutes, so they are behind the build tag
// `upgrade`, which `make test-upgrade` sets; golangci-lint reads them always.
package upgrade
