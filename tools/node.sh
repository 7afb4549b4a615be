#!/usr/bin/env bash
# Installs the Node packages of tools/node, exactly as the lock has them, into
# tools/node/node_modules, which git ignores. With everything there it does nothing,
# at once.
#
#   tools/node.sh           install
#   tools/node.sh update    write the lock anew, after a change to package.json
set -euo pipefail
cd "$(dirname "$0")/.."

# npm's own settings of whoever runs this are of no concern: those of the project
# stand in tools/node/.npmrc, which npm reads beside package.json.
export NPM_CONFIG_UPDATE_NOTIFIER=false

if [[ ${1:-} == update ]]; then
  cd tools/node
  rm -f package-lock.json
  npm install --package-lock-only --silent
  # Addresses of sponsors are not what is locked.
  node -e '
    const fs = require("node:fs")
    const lock = JSON.parse(fs.readFileSync("package-lock.json"))
    for (const one of Object.values(lock.packages)) delete one.funding
    fs.writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n")'
  if grep -nE '"resolved"|https?://' package-lock.json >&2; then
    echo 'The lock names a host.' >&2
    exit 1
  fi
  exit
fi

cd tools/node
mkdir -p node_modules
# Tests of several packages may ask at once.
exec 9>node_modules/.lock
flock 9
want=$(sha256sum package.json package-lock.json .npmrc)
if [[ $(cat node_modules/.installed 2>/dev/null) != "$want" ]]; then
  rm -f node_modules/.installed
  npm ci --silent --no-progress --prefer-offline >&2
  echo "$want" >node_modules/.installed
fi
