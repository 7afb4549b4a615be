package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"

	"vitae.internal/deploy/standalone/internal/datadir"
)

// World holds what a new developer needs to know about the seeded data.
type World struct {
	People     []Person
	Developers []Developer
	Apps       []App
	Keys       []Key
}

// Person is a seeded person, who can sign in.
type Person struct{ Name, Email, Password string }

// Developer is a developer account.
type Developer struct {
	Name, ID string
	// Members lists people with their roles, for example "Layla Haddad (owner)".
	Members []string
}

// App is a partner's app.
type App struct {
	ID, Name, ClientType   string
	RedirectURIs           []string
	ClientID, ClientSecret string // the secret is empty for a public client
}

// Key is an API key of an app.
type Key struct {
	App, Name string
	Scopes    []string
	Key       string
}

// file is the part of a world file that this package reads.
type file struct {
	People []struct {
		Ref, Name, Email, Password string
	} `json:"people"`
	Developers []struct {
		Ref, Name string
		Members   []struct{ Person, Role string }
		Apps      []struct {
			Ref, Name, ClientType string
			RedirectURIs          []string `json:"redirectUris"`
			APIKeys               []struct {
				Ref, Name string
				Scopes    []string
			} `json:"apiKeys"`
		} `json:"apps"`
	} `json:"developers"`
}

// nameOf returns the name of the person with the given ref, or "" if there is none.
func (f file) nameOf(ref string) string {
	for _, p := range f.People {
		if p.Ref == ref {
			return p.Name
		}
	}
	return ""
}

// output is the part of an import's output that this package reads.
type output struct {
	People     map[string]struct{} `json:"people"`
	Developers map[string]struct {
		ID string `json:"id"`
	} `json:"developers"`
	Apps map[string]struct {
		ID           string `json:"id"`
		ClientID     string `json:"clientId"`
		ClientSecret string `json:"clientSecret"`
	} `json:"apps"`
	APIKeys map[string]struct {
		Key string `json:"key"`
	} `json:"apiKeys"`
}

// Read combines a world file with the output of its import. The result is empty if nothing was
// seeded.
func Read(d *datadir.Dir, world string) (World, error) {
	var w World
	var seeded output
	err := readJSON(d.File(Printed), &seeded)
	if world == "" || errors.Is(err, fs.ErrNotExist) {
		return w, nil
	}
	if err != nil {
		return w, err
	}
	var f file
	if err := readJSON(world, &f); err != nil {
		return w, err
	}
	// The file may have changed since the import, so objects that were not imported are omitted.
	for _, p := range f.People {
		if _, made := seeded.People[p.Ref]; made {
			w.People = append(w.People, Person{Name: p.Name, Email: p.Email, Password: p.Password})
		}
	}
	for _, developer := range f.Developers {
		if made, ok := seeded.Developers[developer.Ref]; ok {
			one := Developer{Name: developer.Name, ID: made.ID}
			for _, m := range developer.Members {
				if name := f.nameOf(m.Person); name != "" {
					one.Members = append(one.Members, name+" ("+m.Role+")")
				}
			}
			w.Developers = append(w.Developers, one)
		}
		for _, a := range developer.Apps {
			made, ok := seeded.Apps[a.Ref]
			if !ok {
				continue
			}
			w.Apps = append(w.Apps, App{
				ID: made.ID, Name: a.Name, ClientType: a.ClientType, RedirectURIs: a.RedirectURIs,
				ClientID: made.ClientID, ClientSecret: made.ClientSecret,
			})
			for _, k := range a.APIKeys {
				if made, ok := seeded.APIKeys[k.Ref]; ok {
					w.Keys = append(w.Keys, Key{App: a.Name, Name: k.Name, Scopes: k.Scopes, Key: made.Key})
				}
			}
		}
	}
	return w, nil
}

// IsEmpty reports whether nothing was seeded.
func (w World) IsEmpty() bool { return len(w.People)+len(w.Developers) == 0 }

// Partner returns the app for the example partner site at partnerURL: a confidential app with a redirect URI on that
// site. A loopback URI without a port matches every port.
func (w World) Partner(partnerURL string) (App, bool) {
	site, err := url.Parse(partnerURL)
	if err != nil {
		return App{}, false
	}
	for _, a := range w.Apps {
		for _, uri := range a.RedirectURIs {
			u, err := url.Parse(uri)
			if err == nil && a.ClientSecret != "" && u.Scheme == site.Scheme &&
				u.Hostname() == site.Hostname() && (u.Port() == "" || u.Port() == site.Port()) {
				return a, true
			}
		}
	}
	return App{}, false
}

func readJSON(name string, into any) error {
	raw, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("demo world: %w", err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("demo world: %s: %w", name, err)
	}
	return nil
}
