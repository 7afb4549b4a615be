package addressdb

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
	// refreshEvery is how soon a newer file is noticed.
	refreshEvery = time.Minute
	// tried is how many networks of a file are looked at for one with a country. A file of
	// another kind, of autonomous systems for example, has none.
	tried = 1000
	// walked is how many networks are walked over for these, with those of which the file says
	// nothing. A broken file may have any number of them.
	walked = 1_000_000
	// largest is the size of a file at most, in bytes: some ten times that of one with cities.
	largest = 1 << 30
)

// code is the form of an ISO 3166-1 alpha-2 code.
var code = regexp.MustCompile(`^[A-Z]{2}$`)

// Database is the file. Its zero value is that of a deployment without one, and knows no
// country. It is safe for use by several goroutines.
type Database struct {
	path    string
	current atomic.Pointer[file]
}

// file is a version of the file, which is wholly in memory: whoever replaces it on the disk does
// not disturb a look-up.
type file struct {
	*maxminddb.Reader
	modified time.Time
	size     int64
}

// Open reads the file at a path; an empty path is that of no file. Errors name the path.
func Open(path string) (*Database, error) {
	d := &Database{path: path}
	if path == "" {
		return d, nil
	}
	return d, d.refresh()
}

// On reports whether there is a file.
func (d *Database) On() bool { return d.path != "" }

// Country is the ISO 3166-1 alpha-2 code of the country in which an address is; empty if the
// text is no address, if the file does not have it, or if there is no file.
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

// countryOf is the country of a record; empty for one that has none, and for a broken one.
func countryOf(r maxminddb.Result) string {
	var country string
	if err := r.DecodePath(&country, "country", "iso_code"); err != nil || !code.MatchString(country) {
		return ""
	}
	return country
}

// Job makes the job that takes a newer file. Every replica runs it.
func (d *Database) Job() background.Job {
	return background.Job{
		Every: refreshEvery, Waiting: "the address database stays as it was read before",
		Round: func(context.Context) error { return d.refresh() },
	}
}

// refresh reads the file if it is another one than before. Where it cannot be read, the one
// before stays.
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
		return nil, fmt.Errorf("it is no file of at most %d bytes", largest)
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
	return nil, errors.New("it holds no countries (country.iso_code)")
}
