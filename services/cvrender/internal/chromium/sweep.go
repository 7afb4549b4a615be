package chromium

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const homePrefix = "vitae-cvr-"

// lockName is the name of a file in each home. The process that uses the home holds a lock on this
// file. The kernel releases the lock when the process exits for any reason.
const lockName = "lock"

// minAge is the age from which a home without a lock counts as abandoned. A younger home may not
// have been locked yet.
const minAge = 10 * time.Minute

// lockHome marks a home as in use until the returned file is closed.
func lockHome(home string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(home, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("chromium: lock home: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("chromium: lock home: %w", err), f.Close())
	}
	return f, nil
}

// Sweep removes the homes that killed processes have left behind. Their Chromium processes have
// exited with them.
func Sweep(log *slog.Logger) {
	acct, err := chooseAccount()
	if err != nil {
		return // Start reports this error
	}
	homes, err := filepath.Glob(filepath.Join(os.TempDir(), homePrefix+"*"))
	if err != nil {
		return // fails only if the pattern is malformed
	}
	for _, home := range homes {
		if !abandoned(home, acct) {
			continue
		}
		if err := os.RemoveAll(home); err != nil {
			log.Warn("cannot remove an abandoned directory", "directory", home, "error", err)
		}
	}
}

// abandoned reports whether a home belongs to the account and is not locked by any process.
func abandoned(home string, acct account) bool {
	info, err := os.Lstat(home)
	if err != nil || !info.IsDir() {
		return false
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(owner.Uid) != acct.uid {
		return false
	}
	f, err := os.OpenFile(filepath.Join(home, lockName), os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, os.ErrNotExist) {
		return time.Since(info.ModTime()) > minAge
	}
	if err != nil {
		return false
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
