package form

import (
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Document is the content that a form edits.
type Document struct {
	// Profile is the person's profile, or nil for a CV other than the main CV. Its content is not used.
	Profile *candidatev1.Profile
	// Content is the content of the CV or main CV.
	Content *candidatev1.CvContent
}

// Form holds the groups of a form, with the values of their controls.
type Form []Group

// Group is a section of the form with its own heading.
type Group struct {
	// Name is the name of the group. "editor.group."+Name is the message key of its heading.
	Name string
	// Fields are the controls before the entries.
	Fields []Field
	// List is the name of the list of entries, or "" if the group has none.
	List    string
	Entries []Entry
	// Blank is the template from which a script adds an entry. Its key is NewKey.
	Blank Entry
}

// NewKey is the placeholder for the key of an entry that a script adds.
const NewKey = "NEW"

// Entry is an item of a list.
type Entry struct {
	// List and Key identify the entry in the names of its controls.
	List, Key string
	// Heading names the entry. It is "" while the entry is blank.
	Heading string
	// Sorted reports whether the entry has a fixed position.
	Sorted bool
	// Hidden are fields that the form returns unchanged.
	Hidden []Field
	Fields []Field
}

// Field is a control.
type Field struct {
	// Name is the name and the id of the control.
	Name string
	// Label is the last part of the control's message keys.
	Label string
	Kind  Kind
	// Value is the value of the control. On is the state of a Check.
	Value string
	On    bool
	// Options are the keywords that a Choice offers. A stored value that is not one of them is only in Value.
	Options []string
	// Required, Hinted and Latin have the same meaning as in type control.
	Required, Hinted, Latin bool
	// Complete is the HTML autocomplete value, or "" if there is none.
	Complete string
	// Fault is the error message for the control.
	Fault template.HTML
}

// Unlisted reports whether a Choice has a value that is not one of its options.
func (f Field) Unlisted() bool { return f.Value != "" && !slices.Contains(f.Options, f.Value) }

// Of returns the form for a document. The keys of list entries are their positions. Dates whose day and month
// could be confused are written with the name of the month, in Arabic or English.
func Of(d Document, arabic bool) Form {
	var form Form
	for _, g := range groups(d.Profile != nil) {
		out := Group{Name: g.name, List: g.list}
		for _, c := range g.controls {
			out.Fields = append(out.Fields, c.field(g.prefix(), c.name, g.message(d)))
		}
		if g.list != "" {
			for i, item := range g.items(d.Content.ProtoReflect()) {
				out.Entries = append(out.Entries, g.entryOf(strconv.Itoa(i), item))
			}
			out.Blank = g.entryOf(NewKey, nil)
		}
		for _, f := range out.Controls() {
			if f.Kind == Date {
				f.Value = formatDate(f.Value, arabic)
			}
		}
		form = append(form, out)
	}
	return form
}

// Controls returns the controls of a group and of its entries, except the hidden ones.
func (g Group) Controls() (all []*Field) {
	for i := range g.Fields {
		all = append(all, &g.Fields[i])
	}
	for _, e := range g.Entries {
		for i := range e.Fields {
			all = append(all, &e.Fields[i])
		}
	}
	return all
}

// IsOpen reports whether a section other than the first is unfolded when the page opens. This applies to
// Contact, and to sections with content, an error, or the control named focus.
func (g Group) IsOpen(focus string) bool {
	return g.Name == contact.name || slices.ContainsFunc(g.Controls(), func(f *Field) bool {
		return f.Value != "" || f.On || f.Fault != "" || f.Name == focus
	})
}

// AddBlank adds a blank entry to a list. It returns the name of the entry's first control, or "" if the list
// does not exist.
func (f Form) AddBlank(list string) string {
	for i := range f {
		if g := &f[i]; g.List == list && list != "" {
			added := blankEntry(list, strconv.Itoa(len(g.Entries)))
			g.Entries = append(g.Entries, added)
			return added.Fields[0].Name
		}
	}
	return ""
}

func blankEntry(list, key string) Entry {
	for _, g := range sections {
		if g.list == list {
			return g.entryOf(key, nil)
		}
	}
	return Entry{}
}

// prefix returns the common prefix of the group's control names.
func (g group) prefix() string {
	if g.of == ofDetails {
		return "personal_details."
	}
	return ""
}

// message returns the protobuf message that contains the group's fields.
func (g group) message(d Document) protoreflect.Message {
	switch g.of {
	case ofProfile:
		return d.Profile.ProtoReflect()
	case ofDetails:
		return d.Profile.GetPersonalDetails().ProtoReflect()
	default:
		return d.Content.ProtoReflect()
	}
}

// item holds the values of an entry by field name.
type item map[string]string

// items returns the items of the group's list.
func (g group) items(content protoreflect.Message) (all []item) {
	f := content.Descriptor().Fields().ByName(protoreflect.Name(g.list))
	if f.IsMap() {
		links := map[string]string{}
		for key, value := range content.Get(f).Map().Range {
			links[key.String()] = value.String()
		}
		for _, key := range slices.Sorted(maps.Keys(links)) {
			all = append(all, item{platform: key, address: links[key]})
		}
		return all
	}
	list := content.Get(f).List()
	for i := range list.Len() {
		one := item{}
		for _, c := range g.entry {
			one[c.name] = read(list.Get(i).Message(), c.name)
		}
		all = append(all, one)
	}
	return all
}

func (g group) entryOf(key string, holds item) Entry {
	e := Entry{List: g.list, Key: key, Heading: holds[g.heading], Sorted: g.sorted}
	for _, c := range g.entry {
		f := c.filled(g.list+"."+key+".", g.list+"."+c.name, holds[c.name])
		if c.kind == Hidden {
			e.Hidden = append(e.Hidden, f)
		} else {
			e.Fields = append(e.Fields, f)
		}
	}
	return e
}

// field returns a control whose value comes from a message.
func (c control) field(prefix, label string, m protoreflect.Message) Field {
	return c.filled(prefix, label, read(m, c.name))
}

// on is the value of a Check that is checked.
const on = "on"

func (c control) filled(prefix, label, value string) Field {
	f := Field{
		Name: prefix + c.name, Label: label, Kind: c.kind, Value: value, Options: c.options,
		Required: c.required, Hinted: c.hinted, Latin: c.latin || c.kind == Link, Complete: c.complete,
	}
	if c.kind == Check {
		f.On, f.Value = value == on, ""
	}
	return f
}

// read returns a field of a message as text: a list as lines, and true as "on". Each line is an item, so a
// line break inside an item becomes a space.
func read(m protoreflect.Message, name string) string {
	f := m.Descriptor().Fields().ByName(protoreflect.Name(name))
	switch value := m.Get(f); {
	case f.IsList():
		var lines []string
		for i := range value.List().Len() {
			lines = append(lines, strings.Join(strings.Fields(value.List().Get(i).String()), " "))
		}
		return strings.Join(lines, "\n")
	case f.Kind() == protoreflect.BoolKind:
		if value.Bool() {
			return on
		}
		return ""
	case f.Message() != nil: // a wrapper message, whose only field is the value
		wrapped := value.Message()
		return wrapped.Get(wrapped.Descriptor().Fields().ByName("value")).String()
	default:
		return value.String()
	}
}
