package world

import (
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// World is what a file asks to create: requests that lack nothing but the ids
// of what is created before them.
type World struct {
	People     []Person
	Developers []Developer
}

// Person is a person with a profile and CVs.
type Person struct {
	// Path of the person in the file.
	Path string
	// Ref names the person in the file.
	Ref string
	// Account lacks nothing.
	Account *authv1.CreatePersonRequest
	// Profile lacks the person id.
	Profile *candidatev1.CreateProfileRequest
	// CVs beside the main one.
	CVs []CV
}

// CV is a CV beside the main one.
type CV struct {
	Path string
	Ref  string
	// Request lacks the person id.
	Request *candidatev1.CreateCvRequest
}

// Developer is a developer account with its apps.
type Developer struct {
	Path    string
	Ref     string
	Request *authv1.CreateAccountRequest
	// Suspended accounts are suspended once all their apps are there.
	Suspended bool
	Apps      []App
}

// App is an app with its API keys.
type App struct {
	Path string
	Ref  string
	// Request lacks the account id.
	Request *authv1.CreateAppRequest
	Keys    []APIKey
}

// APIKey is an API key of an app.
type APIKey struct {
	Path string
	Ref  string
	// Request lacks the app id.
	Request *authv1.CreateApiKeyRequest
}

// seen holds every name that must be used once in a file.
type seen struct {
	people, cvs, developers, apps, keys names
	emails, usernames                   names
}

func newSeen() *seen {
	return &seen{people: names{}, cvs: names{}, developers: names{}, apps: names{}, keys: names{}, emails: names{}, usernames: names{}}
}

// later are the lists of the format that this version has no place for.
var later = []string{"companies", "jobs", "applications"}

// Parse reads a file. Every fault is in faults; what is right is in the world,
// so that the services can be asked about it too.
func Parse(raw []byte, faults *Faults) World {
	var w World
	v := parse(raw, faults)
	if len(faults.list) > 0 && v == nil {
		return w
	}
	r, ok := read("$", v, faults)
	if !ok {
		return w
	}
	r.path = ""
	s := newSeen()
	people, at := r.list("people")
	for i, item := range people {
		if p, ok := readPerson(Index(at, i), item, s, faults); ok {
			w.People = append(w.People, p)
		}
	}
	developers, at := r.list("developers")
	for i, item := range developers {
		if d, ok := readDeveloper(Index(at, i), item, s, faults); ok {
			w.Developers = append(w.Developers, d)
		}
	}
	for _, key := range later {
		items, at := r.list(key)
		for i := range items {
			faults.Add(Index(at, i), "this version of Vitae has no "+key+" yet")
		}
	}
	r.end()
	return w
}
