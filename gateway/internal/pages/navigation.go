package pages

import (
	"slices"
	"strings"

	"vitae.internal/gateway/internal/pages/profile"
	"vitae.internal/gateway/internal/pages/shell"
)

// navLink is a link in the navigation of the signed-in person's pages.
type navLink struct {
	Path string
	// Label is the message key of the link's label.
	Label string
	// Also contains the paths of pages that belong to this page but are not in the navigation.
	Also []string
}

// Holds reports whether path is the page itself, one of the paths in Also, or a path below one of
// these.
func (l navLink) Holds(path string) bool {
	return slices.ContainsFunc(append([]string{l.Path}, l.Also...), func(page string) bool {
		return path == page || strings.HasPrefix(path, page+"/")
	})
}

// navigation returns the links, in the order in which the signed-in person's pages show them.
func (c Config) navigation() []navLink {
	return []navLink{
		{shell.ConnectionsPath, "nav.connections", nil},
		{c.profile(nil).CVsLink(), "nav.cvs", []string{shell.ProfilePath, profile.DocumentsPath}},
		{"/applications", "nav.applications", nil},
		{shell.AccountPath, "nav.account", nil},
	}
}
