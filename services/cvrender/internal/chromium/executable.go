package chromium

import (
	"fmt"
	"os"
	"os/exec"
)

// programs are the names and paths under which Chromium may be installed, in order of preference.
// The binary is preferred to Debian's launcher script, which adds flags from /etc/chromium.d and
// the environment.
var programs = []string{
	"/usr/lib/chromium/chromium",
	"chromium",
	"chromium-browser",
	"/opt/google/chrome/chrome",
	"google-chrome",
}

// Find returns path if it is set and exists. If path is not set, Find returns the path of the first
// program that is installed.
func Find(path string) (string, error) {
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("chromium: %w", err)
		}
		return found, nil
	}
	for _, p := range programs {
		if found, err := exec.LookPath(p); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("chromium: not installed (apt-get install chromium): %w", os.ErrNotExist)
}
