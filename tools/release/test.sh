#!/usr/bin/env bash
# Tests the release scripts in temporary clones, with a temporary key:
#
#   tools/release/test.sh          # the tests that take seconds; `make verify` runs them
#   tools/release/test.sh full     # also builds two releases; `make test-release` runs this
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
source tools/release/version.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.com GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.com
fails() {
  echo "tools/release: $1" >&2
  [[ ! -e $work/out ]] || cat "$work/out" >&2
  exit 1
}
# refused MESSAGE COMMAND... runs the command, which must fail with this message.
refused() {
  if "${@:2}" >"$work/out" 2>&1; then fails "succeeded, but must fail with: $1"; fi
  grep -qF -- "$1" "$work/out" || fails "failed, but not with: $1"
}
passes() { "$@" >"$work/out" 2>&1 || fails "failed: $*"; }

# copy FOLDER PATH... creates a repository whose first commit contains these paths, including uncommitted changes. It
# then adds the test key to the signers.
copy() {
  mkdir -p "$1"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard -- "${@:2}") |
    while IFS= read -r -d '' file; do if [[ -e $root/$file ]]; then printf '%s\0' "$file"; fi; done |
    tar --null --create --directory "$root" --files-from=- | tar --extract --directory "$1"
  cd "$1"
  git init -q .
  git add --all
  git commit -q -m base
  echo "releases@vitae namespaces=\"vitae-release\" $(cut -d ' ' -f 1,2 "$work/key.pub")" >>tools/release/signers
  git commit -q -a -m first
}
# publish VERSION prepares, commits and tags a version.
publish() {
  passes tools/release/prepare.sh "$1" '1 December 2026'
  git commit -q -a -m "$1"
  git tag "$1"
}
# unreleased TEXT adds a change to the changelog.
unreleased() {
  sed -i "0,/^## Unreleased\$/s//## Unreleased\n\n### Operators\n\n- $1 ([notes](docs\/upgrading.md#unreleased))/" CHANGELOG.md
  git commit -q -a -m "$1"
}

# untagged COMMAND... runs the command without the tag v0.2.0.
untagged() {
  git tag -d v0.2.0 >/dev/null
  local status=0
  "$@" || status=$?
  git tag v0.2.0 HEAD^
  return "$status"
}

versions() {
  local ordered=(v0.0.9 v0.1.0-rc.1 v0.1.0-rc.2 v0.1.0-rc.10 v0.1.0 v0.2.0 v0.10.0 v1.0.0-rc.1 v1.0.0 v1.0.1 v10.0.0) i
  for ((i = 0; i + 1 < ${#ordered[@]}; i++)); do
    if ! greater "${ordered[i + 1]}" "${ordered[i]}" || greater "${ordered[i]}" "${ordered[i + 1]}"; then
      fails "does not sort ${ordered[i]} before ${ordered[i + 1]}"
    fi
  done
  if greater v1.0.0 v1.0.0; then fails 'considers a version greater than itself'; fi
}

preparing() {
  [[ $(tools/release/last.sh) == "$(git rev-parse HEAD^)" ]] || fails 'does not print the commit of the baselines although there is no tag'
  for wrong in '' 1.0.0 v1.0 v1.0.0-beta v01.0.0 'v1.0.0; true'; do refused 'is not a version' tools/release/prepare.sh "$wrong"; done
  refused 'has no section v0.1.0' tools/release/check.sh v0.1.0
  section Unreleased >"$work/unreleased"
  passes tools/release/prepare.sh v0.1.0 '1 December 2026'
  grep -qx '## v0.1.0, 1 December 2026' CHANGELOG.md || fails 'does not write the section'
  grep -qx '## v0.1.0' docs/upgrading.md || fails 'does not write the upgrade notes'
  [[ -z $(section Unreleased | tr -d '\n') ]] || fails 'leaves content under Unreleased'
  section v0.1.0 | sed 's/upgrading\.md#v010/upgrading.md#unreleased/' | diff - "$work/unreleased" || fails 'changes the content of the changelog'
  refused 'has a section v0.1.0 already' tools/release/prepare.sh v0.1.0
  refused 'has nothing under Unreleased' tools/release/prepare.sh v0.2.0
  refused 'uncommitted changes' tools/release/check.sh v0.1.0
  git commit -q -a -m v0.1.0
  passes tools/release/check.sh v0.1.0
  git tag v0.1.0
  passes tools/release/check.sh v0.1.0
}

# Tests the checks, with the tags v0.1.0 and v0.2.0.
checking() {
  refused 'has no section v0.2.0' tools/release/check.sh v0.2.0
  unreleased 'Something else.'
  refused 'does not come after v0.1.0' tools/release/prepare.sh v0.0.9
  refused 'is the tag of another commit' tools/release/check.sh v0.1.0
  publish v0.2.0
  passes tools/release/check.sh v0.2.0
  [[ $(section v0.2.0) == *docs/upgrading.md#v020* ]] || fails 'leaves a link to the unreleased upgrade notes'
  unreleased 'One more.'
  refused 'has changes under Unreleased, which would be part of v0.2.0' untagged tools/release/check.sh v0.2.0
  sed -i 's/^## v0.2.0$/## v0.3.0/' docs/upgrading.md
  passes tools/release/prepare.sh v0.2.1
  sed -i '/^## v0.2.1$/d' docs/upgrading.md
  git commit -q -a -m v0.2.1
  refused 'docs/upgrading.md has no section v0.2.1' tools/release/check.sh v0.2.1
  git reset -q --hard v0.2.0
}

migrations() {
  local folder=services/auth/internal/postgres/migrations file
  file=$(find "$folder" -name '*.sql' | sort | tail -n 1)
  passes tools/release/migrations.sh
  touch "$folder/99999_new.sql"
  passes tools/release/migrations.sh
  rm "$folder/99999_new.sql"
  touch "$folder/00000_late.sql"
  refused 'must have a number after' tools/release/migrations.sh
  rm "$folder/00000_late.sql"
  echo '-- more' >>"$file"
  refused 'must not change' tools/release/migrations.sh
  git checkout -q "$file"
  rm "$file"
  refused 'must not change' tools/release/migrations.sh
  git checkout -q "$file"
  # A migration that was added since the last release may be changed.
  passes tools/release/migrations.sh v0.1.0
}

# verify FOLDER runs the commands that docs/releases.md lists for a download.
verify() {
  local commands
  commands=$(awk '/^```sh$/ && !found { inside = 1; found = 1; next } /^```$/ { inside = 0 } inside' "$root/docs/releases.md")
  [[ $commands == *ssh-keygen*sha256sum* ]] || fails 'finds no commands in docs/releases.md'
  (cd "$1" && bash -euo pipefail -c "$commands")
}

# signing FOLDER signs the files, verifies them, and checks that tampering is detected.
signing() {
  local some made
  refused 'is not in tools/release/signers' env RELEASE_KEY="$work/other" tools/release/sign.sh "$1"
  [[ ! -e $1/SHA256SUMS.sig ]] || fails 'leaves a signature that cannot be verified'
  passes env RELEASE_KEY="$work/key" tools/release/sign.sh "$1"
  cp tools/release/signers "$1/signers"
  passes verify "$1"
  some=$(cd "$1" && sed -n '1s/^[0-9a-f]*  //p' SHA256SUMS)
  cp "$1/$some" "$work/saved"
  printf x >>"$1/$some"
  refused 'FAILED' verify "$1"
  # Verification must also fail if the checksum was changed to match.
  cp "$1/SHA256SUMS" "$work/sums"
  (cd "$1" && sha256sum "$some" >SHA256SUMS)
  refused 'incorrect signature' verify "$1"
  cp "$work/sums" "$1/SHA256SUMS"
  cp "$work/saved" "$1/$some"
  passes verify "$1"
  # It must also fail if the signature was made with an unknown key or for a different purpose.
  for made in "$work/other vitae-release" "$work/key file"; do
    cp "$1/SHA256SUMS.sig" "$work/sig"
    rm "$1/SHA256SUMS.sig"
    ssh-keygen -q -Y sign -f "${made% *}" -n "${made#* }" "$1/SHA256SUMS"
    if verify "$1" >"$work/out" 2>&1; then fails "accepts a signature made with: $made"; fi
    cp "$work/sig" "$1/SHA256SUMS.sig"
  done
}

# A fake docker command replaces the engine and the registry.
images() {
  mkdir "$work/bin"
  cat >"$work/bin/docker" <<'DOCKER'
#!/usr/bin/env bash
case "$*" in
  build*) echo "$*" >>"$DOCKER_LOG" ;;
  *Labels*version*) echo "${LABEL:-v0.2.0}" ;;
  *Labels*revision*) git rev-parse HEAD ;;
  *RepoDigests*) echo "elsewhere/x@sha256:1"; echo "${@: -1}" | sed 's/:v0.2.0$/@sha256:2/' ;;
esac
DOCKER
  chmod +x "$work/bin/docker"
  export DOCKER_LOG=$work/docker
  PATH="$work/bin:$PATH" RELEASE_IMAGES=r.example/vitae tools/release/images.sh v0.2.0 >"$work/images" 2>"$work/out" || fails 'builds no images'
  grep -qx 'r.example/vitae/auth:v0.2.0@sha256:2' "$work/images" || fails "lists other images: $(cat "$work/images")"
  [[ $(wc -l <"$work/images") == "$(grep -c '^FROM .* AS ' "$root/deploy/docker/Dockerfile" | awk '{ print $1 - 2 }')" ]] ||
    fails 'does not build every target of the Dockerfile except build and base'
  grep -q -- "--build-arg VERSION=v0.2.0 --build-arg REVISION=$(git rev-parse HEAD)" "$DOCKER_LOG" || fails 'does not pass the version and revision to the images'
  refused 'has the version "v0.1.9"' env PATH="$work/bin:$PATH" LABEL=v0.1.9 RELEASE_IMAGES=r.example/vitae tools/release/images.sh v0.2.0
}

stamping() {
  mkdir -p "$work/stamped"
  git archive HEAD docker-compose.yml deploy/helm | tar -x -C "$work/stamped"
  passes tools/release/stamp.sh v1.2.3 "$work/stamped"
  grep -q 'image: ${VITAE_IMAGES:-vitae}/auth:${VITAE_VERSION:-v1.2.3}' "$work/stamped/docker-compose.yml" || fails 'does not set the version of the images in docker-compose.yml'
  grep -qx 'appVersion: "v1.2.3"' "$work/stamped/deploy/helm/vitae/Chart.yaml" || fails 'does not set the version of the images in the chart'
  grep -qx 'version: 1.2.3' "$work/stamped/deploy/helm/vitae/Chart.yaml" || fails 'does not set the version of the chart'
}

# Builds a release of the whole tree twice, in two clones in different folders.
building() {
  local made file
  copy "$work/clone" .
  publish v0.9.1
  git clone -q "$work/clone" "$work/another/place/of/the/clone"
  passes env RELEASE_KEY="$work/key" make release VERSION=v0.9.1
  # Use a separate build cache, so that the second build is independent.
  (cd "$work/another/place/of/the/clone" && passes env GOCACHE="$work/cache" tools/release/build.sh v0.9.1 "$work/again")
  made=$work/clone/bin/release/v0.9.1
  diff "$made/SHA256SUMS" "$work/again/SHA256SUMS" || fails 'two builds of a commit differ'
  cp tools/release/signers "$made/"
  passes verify "$made"
  signing "$made"
  for file in vitae_v0.9.1_{linux_amd64,linux_arm64,deploy}.tar.gz vitaectl_v0.9.1_linux_amd64.tar.gz auth_v0.9.1_linux_arm64.cdx.json notes.md provenance.json; do
    grep -q "  $file\$" "$made/SHA256SUMS" || fails "does not create $file"
  done
  tar -xzf "$made/vitae_v0.9.1_linux_amd64.tar.gz" -C "$work"
  tar -xzf "$made/vitae_v0.9.1_linux_arm64.tar.gz" -C "$work"
  local commit=$(git rev-parse HEAD)
  [[ $("$work/vitae_v0.9.1_linux_amd64/vitaectl" version -o json | jq -r '"\(.version) \(.revision) \(.modified)"') == "v0.9.1 $commit false" ]] ||
    fails 'vitaectl does not print its version'
  [[ $(go version -m "$work/vitae_v0.9.1_linux_arm64/auth") == *GOARCH=arm64* ]] || fails 'does not build the programs for arm64'
  sum=$(sha256sum "$work/vitae_v0.9.1_linux_arm64/auth" | cut -d ' ' -f 1)
  jq -e --arg sum "$sum" '.bomFormat == "CycloneDX" and .specVersion == "1.6" and .metadata.component.version == "v0.9.1" and .metadata.component.hashes[0].content == $sum
    and ([.components[].purl] | any(startswith("pkg:golang/github.com/jackc/pgx/v5@v5.")) and any(. == "pkg:golang/vitae.internal/pkg@v0.9.1") and any(startswith("pkg:golang/std@1.")))' \
    "$made/auth_v0.9.1_linux_arm64.cdx.json" >/dev/null || fails 'the bill of materials of auth does not describe the program'
  jq -e --arg commit "$commit" '.predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit == $commit and (.subject | length) > 10' "$made/provenance.json" >/dev/null ||
    fails 'the provenance does not name the commit'
}

ssh-keygen -q -t ed25519 -N '' -C test -f "$work/key"
ssh-keygen -q -t ed25519 -N '' -C other -f "$work/other"
versions
copy "$work/small" CHANGELOG.md docs/upgrading.md tools/release services/*/internal/postgres/migrations docker-compose.yml deploy
preparing
checking
migrations
stamping
images
mkdir "$work/files"
echo one >"$work/files/one"
echo two >"$work/files/two"
(cd "$work/files" && sha256sum -- * >SHA256SUMS)
signing "$work/files"
if [[ ${1:-} == full ]]; then building; fi
echo 'The release scripts work.'
