#!/usr/bin/env bash
# Installs the locked Node packages of tools/node into tools/node/node_modules, unless they are already installed.
#
#   tools/node.sh           install
#   tools/node.sh update    rewrite the lock file after a change to package.json, and install
set -euo pipefail
cd "$(dirname "$0")/node"

# npm reads its settings from .npmrc, next to package.json.
export NPM_CONFIG_UPDATE_NOTIFIER=false

if [[ ${1:-} == update ]]; then
  # Use a separate folder, because npm omits the integrity of packages that are already installed.
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cp package.json .npmrc "$work/"
  (cd "$work" && npm install --package-lock-only --silent)
  # Remove sponsor URLs, which can change even if the packages do not.
  node -e '
    const fs = require("node:fs")
    const lock = JSON.parse(fs.readFileSync(process.argv[1]))
    for (const one of Object.values(lock.packages)) delete one.funding
    fs.writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n")' "$work/package-lock.json"
fi

node -e '
  const lock = JSON.parse(require("node:fs").readFileSync("package-lock.json"))
  for (const [name, one] of Object.entries(lock.packages)) {
    if (name !== "" && !one.integrity) throw new Error(`${name} is locked without integrity: run tools/node.sh update`)
  }
  if (/"resolved"|https?:/.test(JSON.stringify(lock))) throw new Error("the lock names a host: run tools/node.sh update")'

# Tests of several packages may run this script concurrently. The lock is outside node_modules, because npm empties that
# folder.
exec 9<package.json
flock 9
want=$(sha256sum package.json package-lock.json .npmrc)
if [[ $(cat node_modules/.installed 2>/dev/null) != "$want" ]]; then
  rm -f node_modules/.installed
  npm ci --silent --no-progress --prefer-offline >&2
  echo "$want" >node_modules/.installed
fi
