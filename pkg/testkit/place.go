package testkit

import (
	"os"
	"regexp"
	"strconv"
	"syscall"
)

const (
	// memory is where Linux mounts an in-memory filesystem.
	memory = "/dev/shm"
	// room is the free space needed there, and spare the available memory, to keep servers in it.
	// The largest test databases have several gigabytes.
	room, spare = 8 << 30, 12 << 30
)

// MakePlace creates a folder for temporary servers: in $TMPDIR if it is set, otherwise in memory if
// there is enough, otherwise in the default folder for temporary files. Copying a database writes
// about a thousand small files, which takes 250 ms or more on a busy disk and a quarter of that in
// memory.
func MakePlace(pattern string) (string, error) {
	parent := ""
	if os.Getenv("TMPDIR") == "" && plenty() {
		parent = memory
	}
	return os.MkdirTemp(parent, pattern)
}

var available = regexp.MustCompile(`MemAvailable: +(\d+) kB`)

// plenty reports whether there is enough memory for the servers; false if that is unknown.
func plenty() bool {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(memory, &fs); err != nil || fs.Bavail*uint64(fs.Bsize) < room {
		return false
	}
	info, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return false
	}
	m := available.FindSubmatch(info)
	if m == nil {
		return false
	}
	kB, err := strconv.ParseUint(string(m[1]), 10, 64)
	return err == nil && kB<<10 >= spare
}
