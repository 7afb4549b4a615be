package form

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/pkg/pasted"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// maxEntries is the maximum number of entries in all lists of a form together. The candidate service allows
// fewer.
const maxEntries = 1000

// entryKey matches valid entry keys.
var entryKey = regexp.MustCompile(`^[A-Za-z0-9]{1,20}$`)

// Keys holds the keys of the entries that were read.
type Keys struct {
	// of maps each list to its keys, in the order of the document.
	of map[string][]string
	// links maps each platform to the key of its link.
	links map[string]string
}

// HasTooMany reports whether a form has more entries than Read accepts. Reject such a form: showing it again
// would let the sender make the page as large as they like, and truncating it would lose entries.
func HasTooMany(values url.Values) bool {
	entries := 0
	for _, g := range sections {
		if g.list != "" {
			entries += len(values[g.list])
		}
	}
	return entries > maxEntries
}

// Read returns the content of a form. If withProfile is set, it also returns the profile. It omits blank
// entries.
func Read(values url.Values, withProfile bool) (Document, Keys) {
	d, keys := Document{Content: &candidatev1.CvContent{}}, Keys{of: map[string][]string{}, links: map[string]string{}}
	if withProfile {
		d.Profile = &candidatev1.Profile{PersonalDetails: &cvv1.PersonalDetails{}}
	}
	for _, g := range groups(withProfile) {
		for _, c := range g.controls {
			write(g.message(d), c, values.Get(g.prefix()+c.name))
		}
		if g.list != "" {
			g.readList(d.Content.ProtoReflect(), values, keys)
		}
	}
	return d, keys
}

// readList reads a group's entries in the order of the form.
func (g group) readList(content protoreflect.Message, values url.Values, keys Keys) {
	f := content.Descriptor().Fields().ByName(protoreflect.Name(g.list))
	listed := values[g.list]
	seen, numbers := map[string]bool{}, map[string]int{}
	for _, key := range listed[:min(len(listed), maxEntries)] {
		prefix := g.list + "." + key + "."
		if !entryKey.MatchString(key) || seen[key] || g.isBlank(prefix, values) {
			continue
		}
		seen[key] = true
		keys.of[g.list] = append(keys.of[g.list], key)
		if f.IsMap() {
			name := addLink(content.Mutable(f).Map(), numbers, strings.TrimSpace(values.Get(prefix+platform)), strings.TrimSpace(values.Get(prefix+address)))
			keys.links[name] = key
			continue
		}
		one := content.Mutable(f).List().AppendMutable().Message()
		for _, c := range g.entry {
			write(one, c, values.Get(prefix+c.name))
		}
	}
}

// addLink adds a link and returns the platform under which it is stored. It appends a number to further links
// to the same platform, so none is lost. numbers holds the last number used for each platform.
func addLink(links protoreflect.Map, numbers map[string]int, name, address string) string {
	unique := name
	for links.Has(protoreflect.ValueOfString(unique).MapKey()) {
		numbers[name]++
		unique = name + " " + strconv.Itoa(numbers[name]+1)
	}
	links.Set(protoreflect.ValueOfString(unique).MapKey(), protoreflect.ValueOfString(address))
	return unique
}

// isBlank reports whether all of an entry's fields are empty, apart from hidden ones.
func (g group) isBlank(prefix string, values url.Values) bool {
	return !slices.ContainsFunc(g.entry, func(c control) bool {
		return c.kind != Hidden && strings.TrimSpace(values.Get(prefix+c.name)) != ""
	})
}

// write sets a field of a message to the text of a control. Blank text clears the field.
func write(m protoreflect.Message, c control, value string) {
	f := m.Descriptor().Fields().ByName(protoreflect.Name(c.name))
	value = strings.ReplaceAll(value, "\r\n", "\n")
	if c.kind == Line || c.kind == Link {
		value = pasted.Line(value)
	}
	if c.kind == Date {
		value = DateOf(value)
	}
	if strings.TrimSpace(value) == "" {
		m.Clear(f)
		return
	}
	switch {
	case f.IsList():
		list := m.Mutable(f).List()
		for line := range strings.SplitSeq(value, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				list.Append(protoreflect.ValueOfString(line))
			}
		}
	case f.Kind() == protoreflect.BoolKind:
		m.Set(f, protoreflect.ValueOfBool(value == on))
	case f.Message() != nil:
		wrapped := m.Mutable(f).Message()
		wrapped.Set(wrapped.Descriptor().Fields().ByName("value"), protoreflect.ValueOfString(strings.TrimSpace(value)))
	default:
		m.Set(f, protoreflect.ValueOfString(strings.TrimSpace(value)))
	}
}

// Do is the action that a button performs on an entry when JavaScript is disabled.
type Do struct {
	// Verb is "add", "remove", "up" or "down".
	Verb string
	// List and Key identify the entry; "add" has no Key.
	List, Key string
}

// ReadDo parses a button's value. It returns false if the value is not an action.
func ReadDo(value string) (Do, bool) {
	parts := strings.Split(value, " ")
	if len(parts) < 2 || len(parts) > 3 || !slices.ContainsFunc(sections, func(g group) bool { return g.list == parts[1] && g.list != "" }) {
		return Do{}, false
	}
	do := Do{Verb: parts[0], List: parts[1]}
	if len(parts) == 3 {
		do.Key = parts[2]
	}
	return do, (do.Verb == "add") == (do.Key == "") && slices.Contains([]string{"add", "remove", "up", "down"}, do.Verb)
}

// Apply performs the action on a document that was read with the given keys. Blank entries are not in the
// document, so it ignores actions on them.
func (do Do) Apply(d Document, keys Keys) {
	if do.List == socials {
		for name, key := range keys.links {
			if do.Verb == "remove" && key == do.Key {
				delete(d.Content.GetSocials(), name)
			}
		}
		return
	}
	at := slices.Index(keys.of[do.List], do.Key)
	if at < 0 {
		return
	}
	content := d.Content.ProtoReflect()
	list := content.Mutable(content.Descriptor().Fields().ByName(protoreflect.Name(do.List))).List()
	to := at
	switch do.Verb {
	case "up":
		to = max(at-1, 0)
	case "down":
		to = min(at+1, list.Len()-1)
	case "remove":
		for i := at; i < list.Len()-1; i++ {
			list.Set(i, list.Get(i+1))
		}
		list.Truncate(list.Len() - 1)
		return
	}
	moved, other := proto.Clone(list.Get(at).Message().Interface()), proto.Clone(list.Get(to).Message().Interface())
	list.Set(at, protoreflect.ValueOfMessage(other.ProtoReflect()))
	list.Set(to, protoreflect.ValueOfMessage(moved.ProtoReflect()))
}
