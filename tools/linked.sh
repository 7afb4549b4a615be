#!/usr/bin/env bash
# Reports test code that is linked into a program, and packages that no program links although their names do not end in
# "test".
set -euo pipefail
cd "$(dirname "$0")/.."

test_code='test$|/testkit(/|$)'
linked=$(go list -deps ./services/*/cmd/* ./gateway/cmd/* ./cli/cmd/* ./deploy/standalone/cmd/* ./examples/partner-app | grep '^vitae\.internal/' | sort -u)
all=$(go list -f '{{if ne .Name "main"}}{{.ImportPath}}{{end}}' ./services/{auth,candidate,cvrender,partnercatalog}/... ./gateway/... ./cli/... ./pkg/... ./deploy/standalone/... |
  sort -u)
status=0
if wrong=$(grep -E "$test_code" <<<"$linked"); then
  echo "A program links test code:" $wrong >&2
  status=1
fi
if wrong=$(comm -23 <(echo "$all") <(echo "$linked") | grep -vE "$test_code" | grep .); then
  echo 'No program links these packages. Delete them, or end their names in "test":' $wrong >&2
  status=1
fi
exit $status
