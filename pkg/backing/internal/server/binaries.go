package server

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// oldestPostgres is the oldest major version of Postgres that Vitae runs on.
const oldestPostgres = 15

// debianPostgres is the directory where Debian and Ubuntu keep the server's programs of each major
// version.
const debianPostgres = "/usr/lib/postgresql/*/bin"

var versionNumber = regexp.MustCompile(`\d+`)

// MissingProgramError names a missing program and the package that contains it.
type MissingProgramError struct {
	Program string // "postgres", with the version wanted
	Package string // of Debian and Ubuntu
}

func (e *MissingProgramError) Error() string {
	return fmt.Sprintf("%s is not installed: run `make setup`, or `apt-get install %s`", e.Program, e.Package)
}

// PostgresPrograms returns the directory with initdb and postgres of a major version; 0 means the
// newest that is installed.
func PostgresPrograms(ctx context.Context, wanted int) (string, error) {
	found := map[int]string{}
	if path, err := exec.LookPath("postgres"); err == nil {
		if version, err := programVersion(ctx, path); err == nil {
			found[version] = filepath.Dir(path)
		}
	}
	dirs, err := filepath.Glob(debianPostgres)
	if err != nil {
		return "", fmt.Errorf("look for postgres: %w", err)
	}
	for _, dir := range dirs {
		version, err := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
		if err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "initdb")); err == nil {
			found[version] = dir
		}
	}
	return choosePrograms(found, wanted)
}

func choosePrograms(found map[int]string, wanted int) (string, error) {
	if wanted != 0 {
		if dir, ok := found[wanted]; ok {
			return dir, nil
		}
		return "", &MissingProgramError{
			Program: fmt.Sprintf("postgres %d, which made this data directory,", wanted),
			Package: fmt.Sprintf("postgresql-%d", wanted),
		}
	}
	versions := make([]int, 0, len(found))
	for version := range found {
		versions = append(versions, version)
	}
	sort.Sort(sort.Reverse(sort.IntSlice(versions)))
	if len(versions) == 0 || versions[0] < oldestPostgres {
		return "", &MissingProgramError{
			Program: fmt.Sprintf("postgres %d or later", oldestPostgres),
			Package: "postgresql",
		}
	}
	return found[versions[0]], nil
}

// programVersion is the major version that `postgres --version` prints.
func programVersion(ctx context.Context, path string) (int, error) {
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return 0, fmt.Errorf("version of %s: %w", path, err)
	}
	return strconv.Atoi(versionNumber.FindString(string(out)))
}

// DataVersion is the major version of a data directory, or 0.
func DataVersion(pgdata string) (int, error) {
	raw, err := os.ReadFile(filepath.Join(pgdata, "PG_VERSION"))
	if os.IsNotExist(err) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("version of the data directory: %w", err)
	}
	return strconv.Atoi(strings.TrimSpace(string(raw)))
}

// Program finds a program, also outside the PATH of unprivileged users.
func Program(name, debianPackage string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	path := filepath.Join("/usr/sbin", name)
	if _, err := os.Stat(path); err != nil {
		return "", &MissingProgramError{Program: name, Package: debianPackage}
	}
	return path, nil
}
