#!/usr/bin/env bash
# Tests tools/test.sh on a module of its own: what it counts, when it fails, and that
# the reason of a failure is shown. Run by `make verify`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

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

expect() { # STATUS CLOSING-LINE ARGUMENT...
  local status=0
  "$here/test.sh" "${@:3}" >out 2>&1 || status=1
  if [[ $status != "$1" ]] || ! grep -q "^DONE $2 in " out; then
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

expect 0 '1 tests' ./passes
[[ $(tail -n 1 out) == DONE* ]] || { echo 'tools/test.sh does not end with the counts.' >&2; exit 1; }
if grep -q chatter out; then echo 'tools/test.sh shows the output of a test that passed.' >&2; exit 1; fi
expect 0 '2 tests, 1 skipped' ./passes ./skips
expect 1 '1 tests, 1 failure' ./fails
shows 'the reason'
expect 1 '2 tests, 1 failure' ./fails -- ./passes
expect 1 '2 tests, 1 failure' ./passes -- ./panics
shows 'at the disco'
expect 1 '1 tests, 1 failure, 1 error' ./broken -- ./passes
shows 'undefined: undefined'
expect 1 '1 tests, 1 failure, 1 error' ./passes -- ./nowhere
expect 1 '1 tests, 1 error' ./passes --
expect 1 '0 tests' ./empty
expect 1 '1 tests, 1 skipped' ./skips
echo 'The test runner counts what it must.'
