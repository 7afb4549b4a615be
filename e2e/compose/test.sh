#!/usr/bin/env bash
# Runs the tests of this folder with the running Docker Engine; engine.sh can start one.
#
#   e2e/compose/test.sh [PART_OF_A_NAME]
set -euo pipefail
cd "$(dirname "$0")"
root=../..
# Pull or build the images that the files name.
built=$(sed -n 's/^ARG [A-Z]*_IMAGE=//p' $root/deploy/docker/Dockerfile)
run=$(sed -n 's/^    image: \${[A-Z_]*_IMAGE:-\(.*\)}$/\1/p' $root/docker-compose.yml)
# shellcheck disable=SC2086 # one word a name
images/make.sh $built $run
exec go test -tags compose -count=1 -v -timeout 3h -run "${1:-.}" .
