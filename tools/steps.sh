# Functions that run steps and print their times, which other scripts source.

# step NAME COMMAND... prints the name, runs the command, and prints how long it took.
# CPU time is more useful than elapsed time on a shared machine.
step() {
  local TIMEFORMAT="   $1: %1R s (processors: %1U s, system: %1S s)"
  echo "== $1"
  time "${@:2}"
}

# modules lists the folders of the modules of go.work.
modules() { sed -n 's/^\t\(\.\/.*\)/\1/p' go.work; }
