package chromium

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// fontsConf makes the given fonts the first ones and, for their families, the only ones.
// Other fonts of the machine serve scripts that these lack. With the cache of the system,
// its fonts need not be scanned at every start.
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>%[1]s</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <selectfont><rejectfont>
    <glob>/usr/*/IBMPlexSans-*</glob>
    <glob>/usr/*/IBMPlexSansArabic-*</glob>
  </rejectfont></selectfont>
  <cachedir>/var/cache/fontconfig</cachedir>
  <cachedir>%[2]s</cachedir>
  <config><rescan><int>0</int></rescan></config>
</fontconfig>
`

// systemFonts are the directories of the machine's own fonts.
var systemFonts = []string{"/usr/share/fonts", "/usr/local/share/fonts"}

// installedFonts names the set of the machine's own fonts, by path and size. They draw
// texts in scripts that the given fonts lack.
func installedFonts() string {
	h := fnv.New64a()
	for _, dir := range systemFonts {
		// A directory that is missing or may not be read has no fonts.
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				if info, err := d.Info(); err == nil {
					fmt.Fprintf(h, "%s %d\n", path, info.Size())
				}
			}
			return nil
		})
	}
	return strconv.FormatUint(h.Sum64(), 16)
}

// makeHome makes the directory for everything that a Chromium may write: its profile, its
// temporary files, and the fonts. It is in the system's temporary directory, which an
// unprivileged user can reach. Its names are short because Chromium creates a socket in
// it, whose path may have 107 bytes (unix(7)).
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

// removeHome removes the directory. A dying process may still create a file meanwhile, so
// it tries several times.
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
