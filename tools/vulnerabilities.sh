#!/usr/bin/env bash
# Looks the dependencies and the release of Go up in the Go vulnerability database, and
# fails on a known vulnerability in what the code of any module calls.
#
# GOVULNDB names the database (`go doc golang.org/x/vuln/cmd/govulncheck`): an address,
# or a copy on this machine, as file:///PATH/data/osv of a clone of
# https://go.googlesource.com/vulndb. Unset, it is https://vuln.go.dev; exit status 75
# says that it could not be reached, so that nothing was checked.
set -euo pipefail
cd "$(dirname "$0")/.."

database=https://vuln.go.dev
if [[ -z ${GOVULNDB:-} ]] && ! curl -fsS --max-time 20 -o /dev/null "$database/index/db.json"; then
  echo "The vulnerability database $database cannot be reached, and GOVULNDB names no other." >&2
  exit 75
fi
# govulncheck wants to stand in a module; the pattern names the packages of all of them.
bin/tools/govulncheck -C pkg -db "${GOVULNDB:-$database}" vitae.internal/...
