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

// fontsConf makes the given fonts the first and, for their families, the only
// ones; whatever else the machine has serves scripts that they lack. The cache
// of the system saves scanning its fonts at every start.
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>%[1]s</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <selectfont><rejectfont>
    <glob>/usr/*/NotoSans-*</glob>
    <glob>/usr/*/NotoNaskhArabic-*</glob>
  </rejectfont></selectfont>
  <cachedir>/var/cache/fontconfig</cachedir>
  <cachedir>%[2]s</cachedir>
  <config><rescan><int>0</int></rescan></config>
</fontconfig>
`

// systemFonts are the directories of fonts that are not ours.
var systemFonts = []string{"/usr/share/fonts", "/usr/local/share/fonts"}

// installedFonts names the set of the system's fonts, by path and size: a text in
// a script that our fonts lack is drawn with one of them.
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

// makeHome makes the directory that holds everything a Chromium may write: its
// profile, its temporary files, and the fonts. It is in the system's temporary
// directory, where an unprivileged user may go wherever our own files are. Its
// names are short because Chromium makes a socket in it, whose path may have 107
// bytes (unix(7)).
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

// removeHome removes the directory. A dying process may still create a file
// while the directory is being removed, hence the second and third look.
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
