package pages

import "strings"

// navLink is a page in the list of a person's own pages.
type navLink struct {
	Path string
	// Label is the key of a message.
	Label string
}

// Holds reports whether a path is that of the page, or of one below it.
func (l navLink) Holds(path string) bool {
	return path == l.Path || strings.HasPrefix(path, l.Path+"/")
}

// navigation lists the pages, in the order in which they stand above every page of a person.
func (c Config) navigation() []navLink {
	return []navLink{{connectionsPath, "nav.connections"}, {c.profileLink(), "nav.profile"}, {accountPath, "nav.account"}}
}
