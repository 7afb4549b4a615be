#!/usr/bin/env bash
# Tests tools/test.sh on a temporary module: the counts, the exit status, and that it shows the output of failed tests.
# `make verify` runs this script.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
(cd "$here" && GOWORK=off go test ./testtime)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GOWORK=off GOFLAGS=
package() { # NAME SOURCE
  mkdir "$1"
  printf 'package %s\n\nimport "testing"\n\n%s\n' "$1" "$2" >"$1/$1_test.go"
}
printf 'module vitae.internal/example\n\ngo 1.26.0\n' >go.mod
package passes 'func TestA(t *testing.T) { t.Log("chatter") }'
package fails 'func TestB(t *testing.T) { t.Error("the reason") }'
package skips 'func TestC(t *testing.T) { t.Skip("not here") }'
package panics 'func TestD(t *testing.T) { panic("at the disco") }'
package broken 'func TestE(t *testing.T) { undefined() }'
package empty 'func helper(*testing.T) {}; var _ = helper'

expect() { # STATUS 'TESTS FAILURES ERRORS SKIPPED' ARGUMENT...
  local status=0 counts
  # shellcheck disable=SC2086 # four words
  printf -v counts 'Tests: %s, failures: %s, errors: %s, skipped: %s' $2
  "$here/test.sh" "${@:3}" >out 2>&1 || status=1
  if [[ $status != "$1" ]] || ! grep -qx "$counts" out; then
    printf 'tools/test.sh %s: exit status %s, want %s and "%s":\n' "${*:3}" "$status" "$1" "$2" >&2
    cat out >&2
    exit 1
  fi
}
shows() {
  if ! grep -q "$1" out; then
    printf 'tools/test.sh does not show "%s":\n' "$1" >&2
    cat out >&2
    exit 1
  fi
}

expect 0 '1 0 0 0' ./passes
[[ $(tail -n 1 out) == Tests:* ]] || { echo 'tools/test.sh does not end with the counts.' >&2; exit 1; }
shows 's  vitae.internal/example/passes TestA$'
shows '^Idle: '
if grep -q chatter out; then echo 'tools/test.sh shows the output of a passing test.' >&2; exit 1; fi
expect 0 '2 0 0 1' ./passes ./skips
expect 1 '1 1 0 0' ./fails
shows 'the reason'
expect 1 '2 1 0 0' ./fails -- ./passes
expect 1 '2 1 0 0' ./passes -- ./panics
shows 'at the disco'
expect 1 '1 1 1 0' ./broken -- ./passes
shows 'undefined: undefined'
expect 1 '1 1 1 0' ./passes -- ./nowhere
expect 1 '1 0 1 0' ./passes --
expect 1 '0 0 0 0' ./empty
expect 1 '1 0 0 1' ./skips
# Flags and commands apply only to their own group.
printf '#!/bin/sh\necho "$*" >>ran\nexec "$@"\n' >runner
chmod +x runner
expect 0 '1 0 0 0' @./runner -run=Nothing ./passes -- ./passes
[[ $(cat ran) == 'go test -json -timeout=30m -run=Nothing ./passes' ]] || { echo 'tools/test.sh applies the flags or the command of one group to another.' >&2; exit 1; }
echo 'tools/test.sh works.'
