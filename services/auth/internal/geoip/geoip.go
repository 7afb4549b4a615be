package geoip

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"regexp"
	"sync/atomic"
	"time"

	"github.com/oschwald/maxminddb-golang/v2"

	"vitae.internal/pkg/background"
)

const (
	// refreshEvery is the interval at which the job checks for a newer file.
	refreshEvery = time.Minute
	// tried is the maximum number of networks that are searched for a country when a file is loaded. The search
	// detects files of another type, such as autonomous systems, which contain no countries.
	tried = 1000
	// walked is the maximum number of networks visited by that search, including empty ones, of which a broken file
	// may contain any number.
	walked = 1_000_000
	// largest is the maximum size of a file in bytes, about ten times the size of a file that
	// includes cities.
	largest = 1 << 30
)

// code matches an ISO 3166-1 alpha-2 code.
var code = regexp.MustCompile(`^[A-Z]{2}$`)

// Database looks up countries in the file. The zero value has no file and never finds a country. A Database is safe
// for concurrent use.
type Database struct {
	path    string
	current atomic.Pointer[file]
}

// file is one version of the file. It is held in memory, so replacing the file on disk doesn't disturb look-ups.
type file struct {
	*maxminddb.Reader
	modified time.Time
	size     int64
}

// Open reads the file at path. If path is empty, the Database has no file. Errors include the path.
func Open(path string) (*Database, error) {
	d := &Database{path: path}
	if path == "" {
		return d, nil
	}
	return d, d.refresh()
}

// On reports whether there is a file.
func (d *Database) On() bool { return d.path != "" }

// Country returns the ISO 3166-1 alpha-2 code of an IP address's country. It returns "" if the address is invalid or
// unknown, or if there is no file.
func (d *Database) Country(address string) string {
	f := d.current.Load()
	if f == nil {
		return ""
	}
	a, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	return countryOf(f.Lookup(a.Unmap().WithZone("")))
}

// countryOf returns the country in a record, or "" if it is missing or invalid.
func countryOf(r maxminddb.Result) string {
	var country string
	if err := r.DecodePath(&country, "country", "iso_code"); err != nil || !code.MatchString(country) {
		return ""
	}
	return country
}

// Job returns the job that loads a newer file. Every replica runs it.
func (d *Database) Job() background.Job {
	return background.Job{
		Every: refreshEvery, Warning: "cannot read the address database; the previous one stays in use",
		Round: func(context.Context) error { return d.refresh() },
	}
}

// refresh loads the file if it has changed. If that fails, the previous version remains in use.
func (d *Database) refresh() error {
	if !d.On() {
		return nil
	}
	info, err := os.Stat(d.path)
	if err != nil {
		return err
	}
	if f := d.current.Load(); f != nil && f.modified.Equal(info.ModTime()) && f.size == info.Size() {
		return nil
	}
	read, err := readFile(d.path, info)
	if err != nil {
		return fmt.Errorf("%s: %w", d.path, err)
	}
	d.current.Store(read)
	return nil
}

func readFile(path string, info fs.FileInfo) (*file, error) {
	if !info.Mode().IsRegular() || info.Size() > largest {
		return nil, fmt.Errorf("it is not a regular file of at most %d bytes", largest)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	reader, err := maxminddb.OpenBytes(raw)
	if err != nil {
		return nil, err
	}
	looked, passed := 0, 0
	for r := range reader.Networks(maxminddb.IncludeNetworksWithoutData()) {
		if err := r.Err(); err != nil {
			return nil, err
		}
		if countryOf(r) != "" {
			return &file{Reader: reader, modified: info.ModTime(), size: info.Size()}, nil
		}
		if r.Found() {
			looked++
		}
		if passed++; looked == tried || passed == walked {
			break
		}
	}
	return nil, errors.New("it contains no countries (country.iso_code)")
}
