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

// NewPassword returns a password with 128 random bits. It consists of letters and digits, which are
// safe in URLs and in configuration files.
func NewPassword() string { return rand.Text() }

// KeptPassword returns the password in the file. If the file does not exist, it is created with a
// new password, readable only by this user.
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
		return "", fmt.Errorf("store the server's password: %w", err)
	}
	return password, nil
}

// FreePort returns a free loopback port. Another process may take the port before our server does;
// the caller then tries again.
func FreePort() (int, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
