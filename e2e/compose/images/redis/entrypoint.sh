#!/bin/sh
set -eu
# Like the original image, it drops root privileges only for the server.
if [ "$1" = redis-server ] && [ "$(id -u)" = 0 ]; then
  find . ! -user redis -exec chown redis {} +
  exec setpriv --reuid redis --regid redis --clear-groups "$0" "$@"
fi
exec "$@"
