#!/usr/bin/env bash
# Installs missing packages that `make run` needs, with apt, as root or through sudo. If that is impossible, it prints
# the packages to install and fails. The argument `test` adds what `make test` and `make verify` need, and `ha` adds
# what `make test-ha` needs.
#
# The script starts no services and creates no Postgres cluster: the stack and the tests start their own servers.
set -euo pipefail
shopt -s nullglob

purpose=${1:-run}
oldest_postgres=15
oldest_node=18

postgres_there() {
  local dir version
  for dir in /usr/lib/postgresql/*/bin; do
    version=${dir#/usr/lib/postgresql/}
    version=${version%/bin}
    if [[ $version =~ ^[0-9]+$ && $version -ge $oldest_postgres && -x $dir/initdb ]]; then return 0; fi
  done
  if command -v postgres >/dev/null && command -v initdb >/dev/null; then
    version=$(postgres --version)
    version=${version//[!0-9.]/}
    [[ ${version%%.*} -ge $oldest_postgres ]]
    return
  fi
  return 1
}

# Chromium from a snap cannot run as another user in an empty network namespace, as the PDF renderer does.
chromium_there() {
  local name path
  if [[ -x /usr/lib/chromium/chromium || -x /opt/google/chrome/chrome ]]; then return 0; fi
  for name in chromium chromium-browser google-chrome; do
    path=$(command -v "$name") || continue
    case $(readlink -f "$path") in
      */snap) continue ;;
    esac
    if head -c 2000 "$path" | grep -aq /snap/; then continue; fi
    return 0
  done
  return 1
}

c_compiler_there() {
  command -v gcc >/dev/null && [[ -e /usr/include/stdio.h ]]
}

# The npm packages of the tests need Node 18 or later. Debian packages npm separately.
node_there() {
  local version
  command -v node >/dev/null || return 1
  version=$(node --version)
  version=${version#v}
  [[ ${version%%.*} -ge $oldest_node ]]
}

# Debian installs daemons outside of users' PATH.
there() {
  command -v "$1" >/dev/null || [[ -x /usr/sbin/$1 ]]
}

missing() {
  local packages=()
  postgres_there || packages+=(postgresql)
  command -v redis-server >/dev/null || packages+=(redis-server)
  chromium_there || packages+=(chromium)
  [[ -e /etc/ssl/certs/ca-certificates.crt ]] || packages+=(ca-certificates)
  if [[ $purpose == test || $purpose == ha ]]; then
    command -v pdftotext >/dev/null || packages+=(poppler-utils)
    command -v qpdf >/dev/null || packages+=(qpdf)
    # The race detector needs cgo, and Vale contains parsers written in C++.
    c_compiler_there || packages+=(gcc libc6-dev)
    command -v g++ >/dev/null || packages+=(g++)
    node_there || packages+=(nodejs)
    command -v npm >/dev/null || packages+=(npm)
    # The checks use git to compare versions and regenerated files.
    command -v git >/dev/null || packages+=(git)
    # The guides' samples use these programs, and the tests run the samples.
    command -v curl >/dev/null || packages+=(curl)
    command -v jq >/dev/null || packages+=(jq)
    command -v openssl >/dev/null || packages+=(openssl)
    # Signs and verifies releases (ssh-keygen).
    command -v ssh-keygen >/dev/null || packages+=(openssh-client)
    there pgbouncer || packages+=(pgbouncer)
    there haproxy || packages+=(haproxy)
    # Checks the rules of deploy/observability.
    command -v promtool >/dev/null || packages+=(prometheus)
    command -v prometheus-node-exporter >/dev/null || packages+=(prometheus-node-exporter)
  fi
  if [[ $purpose == ha ]]; then
    command -v patroni >/dev/null || packages+=(patroni)
    command -v etcd >/dev/null || packages+=(etcd-server)
  fi
  echo "${packages[*]}"
}

# If root runs the stack, it needs a user for Postgres, Redis and Chromium.
user_missing() {
  [[ $EUID -eq 0 ]] && ! grep -q '^vitae:' /etc/passwd
}

make_user() {
  useradd --system --no-create-home --home-dir /var/lib/vitae --shell /usr/sbin/nologin vitae
}

refuse() {
  printf '%s\n' "$@" >&2
  exit 1
}

# as_root runs a command as root, directly or through sudo.
as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo "$@"; fi
}

may_become_root() {
  if [[ $EUID -eq 0 ]]; then return 0; fi
  command -v sudo >/dev/null || return 1
  # Without a terminal, nobody can enter the password for sudo.
  [[ -t 0 ]] || sudo -n true 2>/dev/null
}

undo=()
restore() {
  local step
  for step in "${undo[@]}"; do as_root rm -f "$step"; done
}

# quietly prevents packages from creating a Postgres cluster and starting services.
quietly() {
  if [[ ! -e /usr/sbin/policy-rc.d ]]; then
    undo+=(/usr/sbin/policy-rc.d)
    printf '#!/bin/sh\nexit 101\n' | as_root tee /usr/sbin/policy-rc.d >/dev/null
    as_root chmod 755 /usr/sbin/policy-rc.d
  fi
  local drop_in=/etc/postgresql-common/createcluster.d/vitae-setup.conf
  undo+=("$drop_in")
  as_root mkdir -p "${drop_in%/*}"
  echo 'create_main_cluster = false' | as_root tee "$drop_in" >/dev/null
}

install_packages() {
  trap restore EXIT
  quietly
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
  # Also prevent the services from starting at the next boot. The service in the package etcd-server is
  # called etcd.
  local package
  for package in redis-server prometheus prometheus-node-exporter patroni etcd-server haproxy pgbouncer; do
    if [[ " $* " == *" $package "* ]] && command -v systemctl >/dev/null; then
      as_root systemctl disable "${package/#etcd-server/etcd}.service" >/dev/null 2>&1 || true
    fi
  done
}

# Browser tests prefer Chromium's headless shell, which needs less than half of the CPU time.
add_headless_shell() {
  if [[ $purpose != test || -x /usr/lib/chromium/chromium-headless-shell ]]; then return 0; fi
  if ! apt-cache show chromium-headless-shell >/dev/null 2>&1 || ! may_become_root; then return 0; fi
  install_packages chromium-headless-shell || true
}

explain_chromium() {
  refuse \
    'Chromium is missing, and this system has it only as a snap, which cannot run in the sandbox' \
    'for PDFs. Install Google Chrome from its .deb package' \
    '(https://www.google.com/chrome), or a Chromium that is a .deb package, and try again.'
}

if user_missing; then make_user; fi

packages=$(missing)
if [[ -z $packages ]]; then
  add_headless_shell
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  refuse "Missing: $packages (names of Debian's packages; Postgres $oldest_postgres or later, Node $oldest_node or later)." 'Install them and try again.'
fi
snap_only=
if grep -qs '^ID=ubuntu' /etc/os-release && [[ " $packages " == *" chromium "* ]]; then
  snap_only=yes
  packages=$(tr ' ' '\n' <<<"$packages" | grep -vx chromium | xargs)
fi
if [[ -n $packages ]]; then
  if ! may_become_root; then
    refuse 'Some packages are missing. Run this as root and try again:' '' \
      "  apt-get update && apt-get install --no-install-recommends $packages" ''
  fi
  echo "Installing: $packages"
  # shellcheck disable=SC2086 # one word per package
  install_packages $packages
fi
if [[ -n $snap_only ]]; then explain_chromium; fi

left=$(missing)
if [[ -n $left ]]; then
  refuse "Still missing after the installation: $left." \
    "Postgres must be $oldest_postgres or later: where the distribution's is older, see https://wiki.postgresql.org/wiki/Apt." \
    "Node must be $oldest_node or later."
fi
add_headless_shell
