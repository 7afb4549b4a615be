package server

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// elsewhere is the parent directory of the server's data if the server's user cannot enter the
// requested directory.
const elsewhere = "/var/lib/vitae"

// Home is the data directory of a server, with the account that owns it.
type Home struct {
	// Path is the real path of the directory. It is below /var/lib/vitae if the requested directory
	// is a link.
	Path    string
	account *account
}

// MakeHome creates the directory dir for a server.
func MakeHome(dir string) (Home, error) {
	acct, err := chooseAccount()
	if err != nil {
		return Home{}, err
	}
	path, err := prepareHome(dir, acct)
	return Home{Path: path, account: acct}, err
}

// Lower makes cmd run as the account.
func (h Home) Lower(cmd *exec.Cmd) { h.account.lower(cmd) }

// Write writes a file that only the account can read.
func (h Home) Write(file string, content []byte) error {
	return errors.Join(os.WriteFile(file, content, 0o600), h.account.own(file))
}

// MakeFolder creates a folder that the account owns.
func (h Home) MakeFolder(path string) error {
	return errors.Join(os.MkdirAll(path, 0o700), h.account.own(path))
}

func prepareHome(dir string, acct *account) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("prepare the data directory: %w", err)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil && reachable(filepath.Dir(real), acct) {
		return real, takeHome(real, acct)
	}
	// dir does not exist, or is a link without a target. Every user can enter the parents that are
	// created here. Secrets next to dir are protected by their own mode.
	parent := filepath.Dir(abs)
	if err := os.MkdirAll(parent, 0o711); err != nil {
		return "", fmt.Errorf("prepare the data directory: %w", err)
	}
	if reachable(parent, acct) {
		return abs, takeHome(abs, acct)
	}
	real := elsewherePath(abs)
	if err := os.MkdirAll(elsewhere, 0o711); err != nil {
		return "", fmt.Errorf("prepare the data directory: %w", err)
	}
	// The umask may have removed a permission that the server needs.
	if err := os.Chmod(elsewhere, 0o711); err != nil {
		return "", fmt.Errorf("prepare the data directory: %w", err)
	}
	if err := takeHome(real, acct); err != nil {
		return "", err
	}
	if err := os.Remove(abs); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("prepare the data directory: %w", err)
	}
	if err := os.Symlink(real, abs); err != nil {
		return "", fmt.Errorf("prepare the data directory: %w", err)
	}
	return real, nil
}

func takeHome(dir string, acct *account) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("prepare the data directory: %w", err)
	}
	return acct.own(dir)
}

// reachable reports whether the account can enter dir and all its parents.
func reachable(dir string, acct *account) bool {
	if acct == nil {
		return true
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	for {
		info, err := os.Stat(real)
		if err != nil || !acct.mayEnter(info) {
			return false
		}
		if real == filepath.Dir(real) {
			return true
		}
		real = filepath.Dir(real)
	}
}

func elsewherePath(abs string) string {
	sum := sha256.Sum256([]byte(abs))
	return filepath.Join(elsewhere, hex.EncodeToString(sum[:8]))
}

// RemoveHome deletes the data of a stopped server, including data that dir links to.
func RemoveHome(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("remove server data: %w", err)
	}
	if target, err := os.Readlink(abs); err == nil && target == elsewherePath(abs) {
		if err := os.RemoveAll(target); err != nil {
			return fmt.Errorf("remove server data: %w", err)
		}
	}
	if err := os.RemoveAll(abs); err != nil {
		return fmt.Errorf("remove server data: %w", err)
	}
	return nil
}
