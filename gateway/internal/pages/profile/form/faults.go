package form

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	itemPath = regexp.MustCompile(`^(\w+)\[(\d+)\](?:\.(\w+))?(?:\[\d+\])?$`)
	linkPath = regexp.MustCompile(`^socials\[(".*")\]$`)
)

// Control returns the name of the control for a field path from the candidate service, or "" if the form
// has no such control. For example, it returns "experiences.3.title" for
// `profile.content.experiences[0].title`. keys are the keys of the form that was read; the zero Keys stand
// for a form built by Of.
func Control(path string, keys Keys) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, "profile."), "content.")
	if m := linkPath.FindStringSubmatch(path); m != nil {
		name, err := strconv.Unquote(m[1])
		key, ok := keys.links[name]
		if err != nil || !ok {
			return ""
		}
		return socials + "." + key + "." + address
	}
	if m := itemPath.FindStringSubmatch(path); m != nil {
		return controlOf(m[1], m[2], m[3], keys)
	}
	for _, g := range groups(true) {
		for _, c := range g.controls {
			if path == g.prefix()+c.name {
				return path
			}
		}
		if path == g.list && path != "" && len(keys.of[path]) > 0 {
			return path + "." + keys.of[path][0] + "." + firstShown(g)
		}
	}
	return ""
}

// controlOf returns the control for a field of a list item, or for a list of strings in an item.
func controlOf(list, position, field string, keys Keys) string {
	for _, g := range groups(true) {
		if slices.ContainsFunc(g.controls, func(c control) bool { return c.name == list }) {
			return list
		}
		if g.list != list || list == "" {
			continue
		}
		at, err := strconv.Atoi(position)
		if err != nil {
			return ""
		}
		key := position
		if listed, read := keys.of[list]; read && at < len(listed) {
			key = listed[at]
		}
		if !slices.ContainsFunc(g.entry, func(c control) bool { return c.name == field && c.kind != Hidden }) {
			field = firstShown(g)
		}
		return list + "." + key + "." + field
	}
	return ""
}

func firstShown(g group) string {
	at := slices.IndexFunc(g.entry, func(c control) bool { return c.kind != Hidden })
	return g.entry[at].name
}

// Renumbered returns the keys of the form that Of builds from d, where d is a document that was read with
// the keys k. They are the positions of the entries.
func (k Keys) Renumbered(d Document) Keys {
	out := Keys{of: map[string][]string{}, links: map[string]string{}}
	for list, keys := range k.of {
		for i := range keys {
			out.of[list] = append(out.of[list], strconv.Itoa(i))
		}
	}
	for i, name := range slices.Sorted(maps.Keys(d.Content.GetSocials())) {
		out.links[name] = strconv.Itoa(i)
	}
	return out
}
