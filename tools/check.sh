#!/usr/bin/env bash
# Runs the unit and store tests of changed modules, without a browser or a stack:
#
#   tools/check.sh [SINCE]
#
# A module has changed if one of its files differs from the commit SINCE. The default is the commit at which this branch
# diverged from its upstream, or HEAD if there is no upstream. `make check` runs this script.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/steps.sh

since=${1:-$(git merge-base HEAD '@{upstream}' 2>/dev/null || echo HEAD)}
changed=$(git diff --name-only "$since"; git ls-files --others --exclude-standard)

packages=()
while read -r module; do
  case $module in
    # End-to-end tests need a stack, and standalone's tests start one.
    ./e2e | ./deploy/standalone) continue ;;
  esac
  if grep -q "^${module#./}/" <<<"$changed"; then packages+=("$module/..."); fi
done < <(modules)
if [[ ${#packages[@]} -eq 0 ]]; then
  echo "No module with unit tests has changed since $since."
  exit
fi
echo "Changed since $since: ${packages[*]}"
exec tools/test.sh @bin/testservers -tags=nobrowser -vet=off -ldflags=-w -parallel=8 "${packages[@]}"
