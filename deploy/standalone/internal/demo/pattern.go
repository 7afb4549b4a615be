package demo

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// pattern is the content of usage.json, which describes one account's requests over the last days. The file is next to
// the world file (docs/world-file.md).
type pattern struct {
	Account           string
	Days              int
	PerMinute, PerDay int32
	Sources           []source
	Incidents         []incident
}

// source describes the requests of an API key or of people's tokens.
type source struct {
	App, APIKey      string
	Connections      int
	Weekday, Weekend int
	// AllDay is set for programs without office hours.
	AllDay    bool
	Agent     string
	Addresses []string
	Routes    []route
}

// route describes one kind of request that a source sends. IDs names the kind of id in the path.
type route struct {
	// Reads names the data that a successful request reads (RequestEntry.reads in the contract).
	Method, Route, IDs, Reads string
	Weight, OK                int
	MS                        float64
	Bytes                     int64
	// Unchanged is the share of 304 responses.
	Unchanged float64
	Unmetered bool
	Faults    []failure
}

type failure struct {
	Share  float64
	Status int32
	Code   string
}

// incident describes a few minutes in which additional requests with a key fail.
type incident struct {
	DaysAgo, Extra, From, Minutes int
	APIKey, Code, RefusedBy       string
	Status                        int32
}

// usageFile returns the path of the usage file that belongs to a world file.
func usageFile(world string) string { return filepath.Join(filepath.Dir(world), "usage.json") }

// readPattern reads the usage file of a world. ok is false if the file does not exist.
func readPattern(world string) (p pattern, ok bool, err error) {
	err = readJSON(usageFile(world), &p)
	if errors.Is(err, fs.ErrNotExist) {
		return p, false, nil
	}
	if err == nil && (p.Account == "" || p.Days < 1 || len(p.Sources) == 0) {
		err = fmt.Errorf("demo world: %s: account, days and sources are required", usageFile(world))
	}
	for _, s := range p.Sources {
		if err == nil && (len(s.Routes) == 0 || len(s.Addresses) == 0) {
			err = fmt.Errorf("demo world: %s: a source needs routes and addresses", usageFile(world))
		}
	}
	return p, err == nil, err
}

// imported is an imported object.
type imported struct {
	ID string `json:"id"`
}

// things holds the imported objects by ref.
type things struct {
	Developers, Apps, APIKeys, Companies, Jobs, Applications map[string]imported
}

// owned contains the ids of an app's objects, by kind.
type owned map[string][]string

// ownedBy returns the ids of the companies, jobs and applications in a world file that belong to an app.
func (t things) ownedBy(world, app string) (owned, error) {
	var f struct {
		Companies    []struct{ Ref, App string }
		Jobs         []struct{ Ref, Company string }
		Applications []struct{ Ref, Job string }
	}
	if err := readJSON(world, &f); err != nil {
		return nil, err
	}
	out, of := owned{}, map[string]bool{app: true}
	take := func(kind, ref, parent string, one imported) {
		if of[parent] && one.ID != "" {
			of[ref] = true
			out[kind] = append(out[kind], one.ID)
		}
	}
	for _, c := range f.Companies {
		take("companies", c.Ref, c.App, t.Companies[c.Ref])
	}
	for _, j := range f.Jobs {
		take("jobs", j.Ref, j.Company, t.Jobs[j.Ref])
	}
	for _, a := range f.Applications {
		take("applications", a.Ref, a.Job, t.Applications[a.Ref])
	}
	return out, nil
}
