# Sourced by the scripts beside it: runs steps and says what each takes.

# step NAME COMMAND... prints the name, runs the command, and prints how long it took.
# The time of the processors tells more than the clock on a machine that is shared.
step() {
  local TIMEFORMAT="   $1: %1R s (processors: %1U s, system: %1S s)"
  echo "== $1"
  time "${@:2}"
}

# modules lists the folders of the modules of go.work.
modules() { sed -n 's/^\t\(\.\/.*\)/\1/p' go.work; }
