package testkit

import (
	"os"
	"regexp"
	"strconv"
	"syscall"
)

const (
	// memory is where Linux keeps files in memory.
	memory = "/dev/shm"
	// room is how much must be free there, and spare how much memory must be available,
	// for servers to be kept in it. The largest databases of the tests have some gigabytes.
	room, spare = 8 << 30, 12 << 30
)

// MakePlace makes a folder for servers that are thrown away: in $TMPDIR if that is set,
// otherwise in memory if there is plenty, otherwise where temporary files go. To copy a
// database is to write a thousand small files, which takes a quarter of a second and more
// on a disk that others use too, and a quarter of that in memory.
func MakePlace(pattern string) (string, error) {
	parent := ""
	if os.Getenv("TMPDIR") == "" && plenty() {
		parent = memory
	}
	return os.MkdirTemp(parent, pattern)
}

var available = regexp.MustCompile(`MemAvailable: +(\d+) kB`)

// plenty reports whether servers can be kept in memory. It is false where that cannot be
// told.
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
