#!/usr/bin/env bash
# Fails if modules require different versions of a dependency or of Go. If such a module were built on its own, it
# would use a different version than in the workspace, where its tests run. Indirect dependencies count, because
# they are linked too.
#
#   tools/versions.sh [FOLDER]
#
# FOLDER contains the modules, by default this repository. `make verify` runs this script.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

# Allowed exceptions, each in the form "folder dependency". buf 1.72 does not compile with protovalidate 1.4, and later
# versions of buf need Go 1.26.7.
allowed='tools buf.build/go/protovalidate'

# Excludes tools/s3, tools/collector and tools/vale, which are third-party programs built with the dependencies of their
# release, and deploy/helm, which uses the dependencies of the Kubernetes types.
git ls-files '*go.mod' ':!tools/s3/go.mod' ':!tools/collector/go.mod' ':!tools/vale/go.mod' ':!deploy/helm/go.mod' | xargs awk -v allowed="$allowed" '
  BEGIN { split(allowed, pairs, "\n"); for (i in pairs) may[pairs[i]] = 1 }
  FNR == 1 { folder = FILENAME; if (!sub(/\/go\.mod$/, "", folder)) folder = "."; inside = 0 }
  /^\)/ { inside = 0 }
  inside { add($1, $2) }
  /^require \($/ { inside = 1 }
  /^require [^(]/ { add($2, $3) }
  /^go / { add("go", $2) }
  function add(path, version) {
    if (path == "" || path ~ /^\/\// || version == "v0.0.0") return
    if ((folder " " path) in may) { apart[folder " " path] = version; return }
    if (!((path, version) in users)) versions[path] = versions[path] " " version
    users[path, version] = users[path, version] " " folder
    count[path] += !((path, version) in seen); seen[path, version] = 1
  }
  END {
    for (path in count) if (count[path] > 1) {
      failed = 1
      print path " has " count[path] " versions:"
      n = split(versions[path], each, " ")
      for (i = 1; i <= n; i++) print "  " each[i] " in" users[path, each[i]]
    }
    for (pair in apart) {
      split(pair, part, " ")
      if (count[part[2]] == 1 && versions[part[2]] == " " apart[pair]) { failed = 1; print pair " no longer differs: remove the exception" }
    }
    exit failed
  }' >&2
