# Functions for versions, for the other scripts to source.

# semver VERSION reports whether VERSION is a Semantic Versioning 2.0 version with a leading "v". The only pre-releases
# are rc.1, rc.2 and so on.
semver() { [[ $1 =~ ^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-rc\.[1-9][0-9]*)?$ ]]; }

# greater A B reports whether A is later than B. `sort -V` sorts "~" before the end of a string, just as Semantic
# Versioning sorts a pre-release before its release.
greater() { [[ $1 != "$2" && $(printf '%s\n' "${1/-/\~}" "${2/-/\~}" | sort -V | tail -n 1) == "${1/-/\~}" ]]; }

# anchor VERSION prints GitHub's anchor for the heading of a version.
anchor() { tr -d . <<<"$1"; }

# section VERSION prints the version's section of the changelog, without the heading.
section() {
  awk -v heading="## $1" '/^## / { inside = ($0 == heading || index($0, heading ", ") == 1); next } inside' CHANGELOG.md
}

# changes VERSION reports whether the version's section lists any changes.
changes() { [[ $(section "$1") == *$'\n- '* ]]; }

refuse() {
  printf 'release: %s\n' "$@" >&2
  exit 1
}
