# Sourced by the scripts beside it: what a version is and how two of them compare.

# semver VERSION: it is one of Semantic Versioning 2.0, with a "v" before it. The only
# pre-releases are rc.1, rc.2 and so on, so that they need no rules of their own.
semver() { [[ $1 =~ ^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-rc\.[1-9][0-9]*)?$ ]]; }

# greater A B: A comes after B. `sort -V` puts "~" before the end of a text, as Semantic
# Versioning puts a pre-release before its release.
greater() { [[ $1 != "$2" && $(printf '%s\n' "${1/-/\~}" "${2/-/\~}" | sort -V | tail -n 1) == "${1/-/\~}" ]]; }

# anchor VERSION: how GitHub calls a heading.
anchor() { tr -d . <<<"$1"; }

# section VERSION: its part of the changelog, without the heading.
section() {
  awk -v heading="## $1" '/^## / { inside = ($0 == heading || index($0, heading ", ") == 1); next } inside' CHANGELOG.md
}

# changes VERSION: its section lists some.
changes() { [[ $(section "$1") == *$'\n- '* ]]; }

refuse() {
  printf 'release: %s\n' "$@" >&2
  exit 1
}
