#!/usr/bin/env bash
# Renews the renderer of the reference at {app_url}/docs from npm:
#
#   tools/redoc.sh            the version below, checked against its integrity
#   tools/redoc.sh 3.1.0      another one; put what it prints in here and look at
#                             the page in a browser before you commit
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:-3.0.1}
integrity=sha512-KDfoKaYW19LCl4YStgBnwlaNjYEFfs5zCNt1s1WZ2YM5u8d26Yuzd2l43fZO851ZsgIMe/D640fDJkD8eaRQKQ==
target=gateway/internal/pages/redoc

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
packed=$(npm pack --silent --json --pack-destination "$work" "redoc@$version")
got=$(sed -n 's/.*"integrity": "\(sha512-[^"]*\)".*/\1/p' <<<"$packed" | head -1)
if [[ $version == 3.0.1 && $got != "$integrity" ]]; then
  echo "redoc $version: integrity $got, want $integrity" >&2
  exit 1
fi
tar -xzf "$work"/redoc-*.tgz -C "$work"

# Whatever the options say, the bundle loads the logo of its maker from elsewhere. The
# maker's name takes its place.
logo="data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20width='44'%20height='14'%3E%3Ctext%20y='11'%20font-size='12'%20font-family='sans-serif'%20fill='%23687076'%3ERedocly%3C/text%3E%3C/svg%3E"
sed "s|https://cdn\.redoc\.ly/redoc/logo-mini\(-full\)\?\.svg|$logo|g" "$work/package/bundles/redoc.standalone.js" |
  gzip -9n >"$target/redoc.standalone.js.gz"
cp "$work/package/LICENSE" "$target/LICENSE"
(cd "$target" && sha256sum redoc.standalone.js.gz >SHA256SUMS)
echo "redoc $version $got"
