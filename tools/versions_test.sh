#!/usr/bin/env bash
# Tests tools/versions.sh on temporary modules. `make verify` runs this script.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git -C "$work" init -q
module() { # FOLDER GO-VERSION REQUIREMENTS
  mkdir -p "$work/$1"
  printf 'module vitae.internal/%s\n\ngo %s\n\n%s\n' "$1" "$2" "$3" >"$work/$1/go.mod"
  git -C "$work" add -A
}
fails() {
  printf 'tools/versions.sh %s:\n' "$1" >&2
  cat "$work/out" >&2
  exit 1
}
run() { "$here/versions.sh" "$work" >"$work/out" 2>&1; }

module one 1.26.0 'require (
	example.com/direct v1.2.0
	example.com/indirect v1.0.0 // indirect
	vitae.internal/two v0.0.0
)'
module two 1.26.0 'require example.com/direct v1.2.0'
run || fails 'reports equal versions'

module two 1.26.0 'require example.com/direct v1.3.0'
if run; then fails 'does not detect two versions of a dependency'; fi
grep -q 'v1.2.0 in one' "$work/out" && grep -q 'v1.3.0 in two' "$work/out" || fails 'does not name the version of each module'

module two 1.26.0 'require example.com/indirect v1.0.1 // indirect'
if run; then fails 'does not detect two versions of an indirect dependency'; fi

module two 1.26.7 'require example.com/direct v1.2.0'
if run; then fails 'does not detect two versions of Go'; fi

module tools 1.26.0 'require buf.build/go/protovalidate v1.2.0'
module two 1.26.0 'require buf.build/go/protovalidate v1.4.0'
run || fails 'does not accept an allowed exception'
module two 1.26.0 'require buf.build/go/protovalidate v1.2.0'
if run; then fails 'does not report an obsolete exception'; fi
echo 'tools/versions.sh works.'
