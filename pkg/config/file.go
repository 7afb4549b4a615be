package config

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

const (
	ours       = "VITAE_"
	fileSuffix = "_FILE"
	// maxFile is the maximum size of a file, in bytes. It guards against a wrong path.
	maxFile = 64 << 10
)

// withFiles sets VITAE_X to the content of the file at VITAE_X_FILE, without trailing line breaks.
// Files hide secrets from users who can read the environment of a process or the description of its
// container. An empty VITAE_X or VITAE_X_FILE counts as unset, because Docker Compose cannot omit a
// variable.
func (e Environment) withFiles() (Environment, error) {
	more := Environment{}
	var faults []error
	for variable, path := range e {
		name, is := strings.CutSuffix(variable, fileSuffix)
		if !is || !strings.HasPrefix(name, ours) || path == "" {
			continue
		}
		value, err := readFile(path)
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("%s: %w", variable, err))
		case value != "" && e[name] != "":
			faults = append(faults, fmt.Errorf("%s and %s are both set", name, variable))
		case value != "":
			more[name] = value
		}
	}
	if len(more) == 0 {
		return e, errors.Join(faults...)
	}
	return e.With(more), errors.Join(faults...)
}

func readFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return "", fmt.Errorf("%s is not a file of at most %d bytes", path, maxFile)
	}
	text, err := os.ReadFile(path)
	return strings.TrimRight(string(text), "\r\n"), err
}
