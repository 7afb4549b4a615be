package chromium

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// fontsConf makes the given fonts the only ones available. So text looks the same on every machine,
// and package pdf knows the outlines of all glyphs.
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>%[1]s</dir>
  <cachedir>%[2]s</cachedir>
  <config><rescan><int>0</int></rescan></config>
</fontconfig>
`

// makeHome creates the directory for the fonts and for everything that Chromium writes. It is in
// the system's temporary directory, which an unprivileged user can reach. Its name is short because
// Chromium creates a socket in it, and socket paths are limited to 107 bytes (unix(7)).
func makeHome(fonts fs.FS, acct account) (home string, err error) {
	home, err = os.MkdirTemp("", homePrefix)
	if err != nil {
		return "", fmt.Errorf("chromium: home: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(home))
		}
	}()
	for _, dir := range []string{"tmp", "cache", "fonts", "profile", "config"} {
		if err := os.Mkdir(filepath.Join(home, dir), 0o700); err != nil {
			return "", fmt.Errorf("chromium: home: %w", err)
		}
	}
	fontDir := filepath.Join(home, "fonts")
	if err := os.CopyFS(fontDir, fonts); err != nil {
		return "", fmt.Errorf("chromium: fonts: %w", err)
	}
	conf := fmt.Sprintf(fontsConf, fontDir, filepath.Join(home, "cache"))
	if err := os.WriteFile(filepath.Join(home, "fonts.conf"), []byte(conf), 0o600); err != nil {
		return "", fmt.Errorf("chromium: fonts: %w", err)
	}
	return home, acct.own(home)
}

// removeHome removes the directory. It tries several times, because a process that is exiting may
// still create files.
func removeHome(home string) error {
	var err error
	for range 20 {
		if err = os.RemoveAll(home); err == nil {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("chromium: remove home: %w", err)
}
