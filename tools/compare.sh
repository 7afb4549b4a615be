#!/usr/bin/env bash
# Compares the cost of requests in this tree and in another version: the CPU time of all processes, p50 and p99, for
# each row of BenchmarkProcessorTime. The versions run alternately (theirs, ours, ours, theirs), because the speed of a
# machine changes within minutes.
#
#   tools/compare.sh VERSION [ROUNDS] [ROW...]
#
# VERSION is a tag or commit with BenchmarkProcessorTime. Run `make build` first. A ratio above
# 1 means that this tree costs more.
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

# The measurements to compare, by their units in the benchmark.
units=(all-µs/req p50-ms p99-ms)

# measured FOLDER PROGRAMS TEST ROW prints the measurements of a row, in the order of units, with "-" for a missing
# measurement.
measured() {
  local out unit
  out=$(cd "$1/e2e/bench" && E2E_BIN=$2 "$3" -test.run '^$' -test.bench "^BenchmarkProcessorTime\$/^$4\$" -test.benchtime 1x -test.timeout 10m 2>&1) ||
    { echo "$out" >&2; return 1; }
  # A benchmark also passes if it has no row of this name.
  grep -q "${units[0]}" <<<"$out" || { echo "no row $4: $out" >&2; return 1; }
  for unit in "${units[@]}"; do
    grep -oE "[0-9.]+ $unit" <<<"$out" | cut -d' ' -f1 | grep . || echo -
  done | paste -sd' '
}
theirs() { measured "$theirs/tree" "$theirs/bin" "$work/theirs.test" "$1"; }
ours() { measured "$PWD" "$PWD/bin" "$work/ours.test" "$1"; }

for row in "${rows[@]}"; do
  for ((i = 1; i <= rounds; i++)); do
    a=$(theirs "$row")
    b=$(ours "$row")
    c=$(ours "$row")
    d=$(theirs "$row")
    paste -d' ' <(printf '%s\n' "${units[@]}") <(tr ' ' '\n' <<<"$a") <(tr ' ' '\n' <<<"$b") <(tr ' ' '\n' <<<"$c") <(tr ' ' '\n' <<<"$d") |
      sed "s|^|$row	|" # row names contain spaces
  done
done | tee "$work/all" | awk -F'\t' '{ split($2, v, " "); printf "%-14s %-11s theirs %s, ours %s, ours %s, theirs %s\n", $1, v[1], v[2], v[3], v[4], v[5]; fflush() }'
echo
# The ratio of a round is the sum of this tree's two measurements divided by the sum of the other version's two
# measurements.
for row in "${rows[@]}"; do
  for unit in "${units[@]}"; do
    awk -F'\t' -v row="$row" -v unit="$unit" '$1 == row { split($2, v, " "); if (v[1] == unit && v[2] != "-" && v[3] != "-") print (v[3] + v[4]) / (v[2] + v[5]) }' "$work/all" |
      sort -n | awk -v row="$row" -v unit="$unit" '
        { r[NR] = $1 }
        END { if (NR) printf "%-14s %-11s %.2f times theirs (median of %d rounds, %.2f to %.2f)\n", row, unit, NR % 2 ? r[(NR + 1) / 2] : (r[NR / 2] + r[NR / 2 + 1]) / 2, NR, r[1], r[NR] }'
  done
done
