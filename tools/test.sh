#!/usr/bin/env bash
# Runs tests with gotestsum, which shows the output of failed tests, and prints the slowest
# tests and the counts:
#
#   tools/test.sh GROUP [-- GROUP...]
#
# A group is [@COMMAND] [FLAG...] PACKAGE...: the flags and packages of one `go test` run. With @COMMAND, such as
# @bin/testservers, that command runs `go test`. Groups run one after another, even after a failure. The exit status is
# 0 only if every package was built, no test failed and at least one test ran. `make test` and `make check` run this
# script.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

# gotestsum runs this script again with --events, and reads the events of all groups as one run.
if [[ ${1:-} == --events ]]; then
  shift
  runner=() flags=() group=() failed=
  for word in "$@" --; do
    case $word in
      --)
        if [[ ${#group[@]} -eq 0 ]]; then
          echo 'a group of packages is empty' >&2
          failed=yes
        else
          "${runner[@]}" go test -json -timeout=30m "${flags[@]}" "${group[@]}" || failed=yes
        fi
        runner=() flags=() group=()
        ;;
      @*) runner=("${word#@}") ;;
      -*) flags+=("$word") ;;
      *) group+=("$word") ;;
    esac
  done
  [[ -z $failed ]]
  exit
fi

# gotestsum accepts a run without tests, so the script checks the counts at the end.
if [[ ${1:-} == --end ]]; then
  "$here/../bin/tools/testtime" "$EVENTS" "$STARTED"
  echo "Tests: $TESTS_TOTAL, failures: $TESTS_FAILED, errors: $TESTS_ERRORS, skipped: $TESTS_SKIPPED"
  if ((TESTS_TOTAL <= TESTS_SKIPPED)); then
    echo 'No test ran.' >&2
    exit 1
  fi
  exit
fi

# The heaps of tests are small. With Go's default, garbage collection takes a tenth of the CPU time.
export GOGC=${GOGC:-400}
EVENTS=$(mktemp)
trap 'rm -f "$EVENTS"' EXIT
STARTED=$(head -n 1 /proc/stat)
export EVENTS STARTED
"$here/../bin/tools/gotestsum" \
  --format pkgname-and-test-fails --format-icons text --format-hide-empty-pkg \
  --jsonfile "$EVENTS" --post-run-command "'$here/test.sh' --end" \
  --raw-command -- "$here/test.sh" --events "$@"
