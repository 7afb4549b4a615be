#!/usr/bin/env bash
# Checks the dependencies and the Go release with the Go vulnerability database, and fails on a
# known vulnerability in code that any module calls.
#
# GOVULNDB is the URL of the database (`go doc golang.org/x/vuln/cmd/govulncheck`), by default https://vuln.go.dev. To
# use a local copy, set file:///PATH/data/osv, where PATH is a clone of https://go.googlesource.com/vulndb. Exit status
# 75 means that the database could not be reached and nothing was checked.
set -euo pipefail
cd "$(dirname "$0")/.."

database=https://vuln.go.dev
if [[ -z ${GOVULNDB:-} ]] && ! curl -fsS --max-time 20 -o /dev/null "$database/index/db.json"; then
  echo "The vulnerability database $database cannot be reached. Set GOVULNDB to another one." >&2
  exit 75
fi
# govulncheck must run inside a module; the pattern matches the packages of all modules.
bin/tools/govulncheck -C pkg -db "${GOVULNDB:-$database}" vitae.internal/...
