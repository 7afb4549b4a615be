#!/usr/bin/env bash
# Compares what a request costs in this tree with what it costs in another version: processor
# time of all processes, by row of BenchmarkProcessorTime. The two take turns (theirs, ours,
# ours, theirs), because the speed of a machine drifts within minutes.
#
#   tools/compare.sh VERSION [ROUNDS] [ROW...]
#
# VERSION is a tag or a commit that has BenchmarkProcessorTime; `make build` has made the
# programs of this tree. A ratio above 1 means that this tree costs more.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1 rounds=${2:-3}
rows=("${@:3}")
[[ ${#rows[@]} -gt 0 ]] || rows=(me cv job introspection refresh)
theirs=$(tools/release/before.sh "$version")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$theirs/tree/e2e/bench" && GOFLAGS=-buildvcs=false go test -c -o "$work/theirs.test" .)
(cd e2e/bench && go test -c -o "$work/ours.test" .)

# total FOLDER PROGRAMS TEST ROW: µs a request of all processes together.
total() {
  local out
  out=$(cd "$1/e2e/bench" && E2E_BIN=$2 "$3" -test.run '^$' -test.bench "^BenchmarkProcessorTime\$/^$4\$" -test.benchtime 1x -test.timeout 10m 2>&1) ||
    { echo "$out" >&2; return 1; }
  grep -oE '[0-9.]+ all-µs/req' <<<"$out" | cut -d' ' -f1
}
measure_theirs() { total "$theirs/tree" "$theirs/bin" "$work/theirs.test" "$1"; }
measure_ours() { total "$PWD" "$PWD/bin" "$work/ours.test" "$1"; }

for row in "${rows[@]}"; do
  for ((i = 1; i <= rounds; i++)); do
    a=$(measure_theirs "$row") b=$(measure_ours "$row") c=$(measure_ours "$row") d=$(measure_theirs "$row")
    echo "$row $a $b $c $d"
  done
done | tee "$work/all" | awk '{ printf "%-14s theirs %s, ours %s, ours %s, theirs %s µs a request\n", $1, $2, $3, $4, $5; fflush() }'
echo
# Each round gives one ratio, of the two of this tree to the two of the other.
for row in "${rows[@]}"; do
  awk -v row="$row" '$1 == row { print ($3 + $4) / ($2 + $5) }' "$work/all" | sort -n | awk -v row="$row" '
    { r[NR] = $1 }
    END { printf "%-14s %.2f times theirs (median of %d rounds, %.2f to %.2f)\n", row, NR % 2 ? r[(NR + 1) / 2] : (r[NR / 2] + r[NR / 2 + 1]) / 2, NR, r[1], r[NR] }'
done
