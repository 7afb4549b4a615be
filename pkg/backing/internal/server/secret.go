package server

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
)

// NewPassword is 128 random bits in letters and digits, safe in URLs and in
// configuration files.
func NewPassword() string { return rand.Text() }

// KeptPassword reads the password file, or creates it, readable only by this user.
func KeptPassword(file string) (string, error) {
	raw, err := os.ReadFile(file)
	if err == nil {
		return strings.TrimSpace(string(raw)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the server's password: %w", err)
	}
	password := NewPassword()
	if err := os.WriteFile(file, []byte(password+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("keep the server's password: %w", err)
	}
	return password, nil
}

// FreePort returns a free loopback port. Another process may take it before our server does; then
// the caller tries again.
func FreePort() (int, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
