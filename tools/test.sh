#!/usr/bin/env bash
# Runs tests with gotestsum, which shows the output of those that fail and ends with
# the counts of all:
#
#   tools/test.sh [FLAG...] PACKAGE... [-- PACKAGE...]
#
# Each group of packages runs after the one before it, also when that one failed. The
# exit status is 0 only if every package was built, no test failed and at least one
# passed. Run by `make test`.
set -euo pipefail

# gotestsum runs this script again, to read the events of all groups as one run.
if [[ ${1:-} == --events ]]; then
  shift
  flags=() group=() failed=
  while [[ ${1:-} == -?* && $1 != -- ]]; do
    flags+=("$1")
    shift
  done
  for word in "$@" --; do
    if [[ $word != -- ]]; then
      group+=("$word")
      continue
    fi
    if [[ ${#group[@]} -eq 0 ]]; then
      echo 'a group of packages is empty' >&2
      failed=yes
    else
      go test -json -timeout=30m "${flags[@]}" "${group[@]}" || failed=yes
    fi
    group=()
  done
  [[ -z $failed ]]
  exit
fi

# And once more at the end: gotestsum itself is content with a run of no tests.
if [[ ${1:-} == --check ]]; then
  if ((TESTS_TOTAL <= TESTS_SKIPPED)); then
    echo 'No test ran.' >&2
    exit 1
  fi
  exit
fi

here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../bin/tools/gotestsum" \
  --format pkgname-and-test-fails --format-icons text --format-hide-empty-pkg \
  --post-run-command "'$here/test.sh' --check" \
  --raw-command -- "$here/test.sh" --events "$@"
