#!/usr/bin/env bash
# Signs the checksums of a release, and with them all of its files:
#
#   RELEASE_KEY=FILE tools/release/sign.sh FOLDER
#
# RELEASE_KEY is a private key of OpenSSH, or a public one whose private half ssh-agent or a
# hardware token has. It must be one of those in tools/release/signers, against which
# everybody verifies: a signature that nobody can verify is refused here. Run by `make release`.
set -euo pipefail
cd "$(dirname "$0")/../.."
signers=$PWD/tools/release/signers
cd "$1"
rm -f SHA256SUMS.sig
ssh-keygen -q -Y sign -f "$RELEASE_KEY" -n vitae-release SHA256SUMS
if ! ssh-keygen -q -Y verify -f "$signers" -I releases@vitae -n vitae-release -s SHA256SUMS.sig <SHA256SUMS; then
  rm -f SHA256SUMS.sig
  echo 'release: the key is none of tools/release/signers' >&2
  exit 1
fi
