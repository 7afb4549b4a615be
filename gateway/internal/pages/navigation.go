package pages

import (
	"slices"
	"strings"

	"vitae.internal/gateway/internal/pages/profile"
	"vitae.internal/gateway/internal/pages/shell"
)

// navLink is a page in the list of a person's own pages.
type navLink struct {
	Path string
	// Label is the key of a message.
	Label string
	// Also are the paths of pages that belong to it and are not listed themselves.
	Also []string
}

// Holds reports whether a path is that of the page, of one that belongs to it, or of one below these.
func (l navLink) Holds(path string) bool {
	return slices.ContainsFunc(append([]string{l.Path}, l.Also...), func(page string) bool {
		return path == page || strings.HasPrefix(path, page+"/")
	})
}

// navigation lists the pages, in the order above every page of a person.
func (c Config) navigation() []navLink {
	return []navLink{
		{shell.ConnectionsPath, "nav.connections", nil},
		{c.profile(nil).CVsLink(), "nav.cvs", []string{shell.ProfilePath, profile.DocumentsPath}},
		{"/applications", "nav.applications", nil},
		{shell.AccountPath, "nav.account", nil},
	}
}
