#!/usr/bin/env bash
# Signs the checksums of a release:
#
#   RELEASE_KEY=FILE tools/release/sign.sh FOLDER
#
# RELEASE_KEY is the file of a private OpenSSH key, or of a public key whose private key is in ssh-agent or on a
# hardware token. The public key must be in tools/release/signers, so that others can verify the signature.
# `make release` runs this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
signers=$PWD/tools/release/signers
cd "$1"
rm -f SHA256SUMS.sig
ssh-keygen -q -Y sign -f "$RELEASE_KEY" -n vitae-release SHA256SUMS
if ! ssh-keygen -q -Y verify -f "$signers" -I releases@vitae -n vitae-release -s SHA256SUMS.sig <SHA256SUMS; then
  rm -f SHA256SUMS.sig
  echo 'release: the key is not in tools/release/signers' >&2
  exit 1
fi
