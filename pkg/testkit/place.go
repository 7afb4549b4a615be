package testkit

import (
	"os"
	"regexp"
	"strconv"
	"syscall"
)

const (
	// memory is the directory at which Linux mounts an in-memory file system.
	memory = "/dev/shm"
	// room is the free space and spare the available memory, in bytes, required to put servers in
	// memory. The largest test databases take several gigabytes.
	room, spare = 8 << 30, 12 << 30
)

// MakePlace creates a folder for temporary servers: in $TMPDIR if it is set, otherwise in memory if
// there is enough, and otherwise in the default folder for temporary files. Copying a database
// writes about a thousand small files, which takes 250 ms or more on a busy disk and a quarter of
// that in memory.
func MakePlace(pattern string) (string, error) {
	parent := ""
	if os.Getenv("TMPDIR") == "" && plenty() {
		parent = memory
	}
	return os.MkdirTemp(parent, pattern)
}

var available = regexp.MustCompile(`MemAvailable: +(\d+) kB`)

// plenty reports whether there is enough memory for the servers. It returns false if this cannot be
// determined.
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
