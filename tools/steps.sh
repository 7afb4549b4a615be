# Functions for other scripts to source. They run steps and print how long the steps took.

# step NAME COMMAND... prints the name, runs the command, and prints the elapsed time and the CPU time. On a shared
# machine, CPU time is more useful.
step() {
  local TIMEFORMAT="   $1: %1R s (processors: %1U s, system: %1S s)"
  echo "== $1"
  time "${@:2}"
}

# modules prints the folders of the modules in go.work.
modules() { sed -n 's/^\t\(\.\/.*\)/\1/p' go.work; }
