#!/usr/bin/env bash
# Tests tools/breaking.sh on a clone: without a tag, with added fields, and with a field that is missing from a contract
# or from the OpenAPI document. `make verify` runs this script.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/tools
export TOOLS=$PWD/bin/tools

clone=$(mktemp -d)
trap 'rm -rf "$clone"' EXIT
# Copy the tree with its uncommitted changes, and commit it without a tag.
git ls-files -z --cached --others --exclude-standard -- proto buf.yaml gateway/internal/api/openapi |
  while IFS= read -r -d '' file; do if [[ -e $file ]]; then printf '%s\0' "$file"; fi; done |
  tar --null -cf - -T - | tar -xf - -C "$clone"
cd "$clone"
git init -q .
git add -A
git -c user.name=test -c user.email=test@example.com commit -q -m base

proto=proto/vitae/partnercatalog/v1/companies.proto
document=gateway/internal/api/openapi/openapi.json
fails() {
  echo "tools/breaking.sh $1" >&2
  exit 1
}
run() { "$tools/breaking.sh" >"$clone/out" 2>&1; }

run && grep -q 'No version is tagged yet' out || fails 'does not report that there is no tag'
git tag v1
run || fails 'reports a change although the contracts are the same'

# An added field.
cp "$document" whole.json
jq '.components.schemas.Company.properties.added = {"type": "string"}' whole.json >"$document"
run || fails 'reports an added field as breaking'

# A removed field, and a field with a different type.
jq '.components.schemas.Company |= (del(.properties.tagline) | .required -= ["tagline"])' whole.json >"$document"
if run; then fails 'does not detect a field that is missing from the document'; fi
grep -q tagline out || fails 'does not name the field that is gone'
jq '.components.schemas.Company.properties.verified.type = "string"' whole.json >"$document"
if run; then fails 'does not detect a field with a different type'; fi
cp whole.json "$document"

cp "$proto" whole.proto
sed -i '0,/^  .* tagline = [0-9]*.*;/{/^  .* tagline = [0-9]*.*;/d}' "$proto"
cmp -s "$proto" whole.proto && fails 'cannot be tested: no tagline in the contract'
if run; then fails 'does not detect a field that is missing from a contract'; fi
grep -q tagline out || fails 'does not name the field that is gone'
echo 'tools/breaking.sh works.'
