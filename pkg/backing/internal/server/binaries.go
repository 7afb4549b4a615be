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

// oldestPostgres is the oldest supported major version of Postgres.
const oldestPostgres = 15

// debianPostgres matches the directories in which Debian and Ubuntu install the server programs of
// each major version.
const debianPostgres = "/usr/lib/postgresql/*/bin"

var versionNumber = regexp.MustCompile(`\d+`)

// MissingProgramError reports that a program is not installed, and names the package that contains
// it.
type MissingProgramError struct {
	Program string // for example "postgres 17"
	Package string // the name in Debian and Ubuntu
}

func (e *MissingProgramError) Error() string {
	return fmt.Sprintf("%s is not installed: run `make setup`, or `apt-get install %s`", e.Program, e.Package)
}

// PostgresPrograms returns the directory that contains initdb and postgres of the wanted major
// version, or of the newest installed version if wanted is 0.
func PostgresPrograms(ctx context.Context, wanted int) (string, error) {
	found := map[int]string{}
	if path, err := exec.LookPath("postgres"); err == nil {
		if version, err := programVersion(ctx, path); err == nil {
			found[version] = filepath.Dir(path)
		}
	}
	dirs, err := filepath.Glob(debianPostgres)
	if err != nil {
		return "", fmt.Errorf("find postgres: %w", err)
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
			Program: fmt.Sprintf("postgres %d, which created this data directory,", wanted),
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

// programVersion returns the major version reported by `postgres --version`.
func programVersion(ctx context.Context, path string) (int, error) {
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return 0, fmt.Errorf("version of %s: %w", path, err)
	}
	return strconv.Atoi(versionNumber.FindString(string(out)))
}

// DataVersion returns the major version of a data directory, or 0 if it does not exist.
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

// Program returns the path of a program. It also searches /usr/sbin, which is not in the PATH of
// unprivileged users.
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
