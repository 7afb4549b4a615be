package form

import "slices"

// Kind determines how a control is rendered and read.
type Kind string

// The kinds of control.
const (
	// Line is a single line of text.
	Line Kind = "line"
	// Text is text with paragraphs.
	Text Kind = "text"
	// Lines is a list of strings, one per line.
	Lines Kind = "lines"
	// Date is YYYY, YYYY-MM or YYYY-MM-DD.
	Date Kind = "date"
	// Link is a URL.
	Link Kind = "link"
	// Check is a checkbox.
	Check Kind = "check"
	// Choice is a keyword from a list of options, or the stored value.
	Choice Kind = "choice"
	// Hidden is not shown; the form returns it unchanged.
	Hidden Kind = "hidden"
)

// control describes how the form shows a field of a protobuf message.
type control struct {
	// name is the name of the field in the message.
	name string
	kind Kind
	// required reports whether a blank field is rejected.
	required bool
	// hinted reports whether the form shows a hint below the control.
	hinted bool
	// latin reports whether the text is written from left to right in every language.
	latin bool
	// complete is the HTML autocomplete value.
	complete string
	// options are the options, if the control is a Choice.
	options []string
}

// source selects the message that holds a group's fields.
type source int

const (
	ofProfile source = iota
	ofDetails
	ofContent
)

// group describes a section of the form with its own heading.
type group struct {
	name     string
	of       source
	controls []control
	// list is a list of messages, or the map of links, in the content. It is "" if the group has
	// none.
	list string
	// entry holds the controls for each item, if the group has a list.
	entry []control
	// heading is the field shown as the heading of an item.
	heading string
	// sorted reports whether the list has a fixed order.
	sorted bool
}

// These groups of a profile come before, in the middle of and after the content.
var (
	person = group{name: "person", of: ofProfile, controls: []control{
		{name: "name", kind: Line, required: true, complete: "name"},
		{name: "headline", kind: Line},
		{name: "locale", kind: Choice, options: []string{"en", "ar"}, hinted: true},
	}}
	contact = group{name: "contact", of: ofProfile, controls: []control{
		{name: "phone", kind: Line, latin: true, complete: "tel"},
		{name: "address", kind: Text, complete: "street-address"},
	}}
	personal = []group{
		{name: "personal_details", of: ofDetails, controls: []control{
			{name: "date_of_birth", kind: Date, hinted: true, complete: "bday"},
			{name: "gender", kind: Line}, {name: "marital_status", kind: Line}, {name: "nationality", kind: Line},
			{name: "residence", kind: Line}, {name: "visa_residency", kind: Line}, {name: "national_service", kind: Line},
			{name: "dependents", kind: Line},
		}},
		{name: "visibility", of: ofProfile, controls: []control{
			{name: "username", kind: Line, latin: true, hinted: true, complete: "off"},
			{name: "profile_public", kind: Check, hinted: true},
			{name: "open_to_work", kind: Check, hinted: true},
		}},
	}
)

// about is the first group of a CV. In the form for a profile, it follows career.
var about = group{name: "about", of: ofContent, controls: []control{
	{name: "summary", kind: Text}, {name: "bio", kind: Text, hinted: true}, {name: "location", kind: Line, hinted: true},
	{name: "about", kind: Text, hinted: true},
}}

// career holds experience and education, which most people fill in first.
var career = []group{
	{name: "experiences", of: ofContent, list: "experiences", heading: "title", entry: []control{
		identifier,
		{name: "title", kind: Line, required: true}, {name: "company", kind: Line, required: true}, {name: "location", kind: Line},
		{name: "location_type", kind: Choice, options: []string{"onsite", "hybrid", "remote"}},
		{name: "employment_type", kind: Choice, options: []string{"full_time", "part_time", "contract", "temporary", "freelance", "internship", "volunteer"}},
		{name: "start_date", kind: Date, hinted: true}, {name: "end_date", kind: Date}, {name: "current", kind: Check},
		{name: "overview", kind: Text}, {name: "bullets", kind: Lines, hinted: true},
	}},
	{name: "educations", of: ofContent, list: "educations", heading: "school", entry: []control{
		identifier,
		{name: "school", kind: Line, required: true}, {name: "degree", kind: Line}, {name: "field_of_study", kind: Line},
		{name: "start_date", kind: Date, hinted: true}, {name: "end_date", kind: Date}, {name: "description", kind: Text},
	}},
}

// further holds the remaining groups of the content.
var further = []group{
	{name: "skills", of: ofContent, list: "skill_groups", heading: "category", controls: []control{{name: "skills", kind: Lines, hinted: true}}, entry: []control{
		{name: "category", kind: Line, required: true}, {name: "items", kind: Lines, hinted: true},
	}},
	{name: "languages", of: ofContent, controls: []control{{name: "languages", kind: Lines, hinted: true}}},
	{name: "certifications", of: ofContent, list: "certifications", heading: "name", entry: []control{
		identifier,
		{name: "name", kind: Line, required: true}, {name: "issuer", kind: Line, required: true},
		{name: "issue_date", kind: Date, hinted: true}, {name: "expiration_date", kind: Date}, {name: "credential_url", kind: Link},
	}},
	{name: "projects", of: ofContent, list: "projects", heading: "title", entry: []control{
		identifier,
		{name: "title", kind: Line, required: true}, {name: "description", kind: Text}, {name: "link", kind: Link},
		{name: "image", kind: Link}, {name: "technologies", kind: Lines, hinted: true},
	}},
	{name: "highlights", of: ofContent, list: "highlights", heading: "title", entry: []control{
		identifier, {name: "title", kind: Line, required: true}, {name: "desc", kind: Text},
	}},
	{name: "interests", of: ofContent, controls: []control{{name: "interests", kind: Lines, hinted: true}}},
	{name: socials, of: ofContent, list: socials, heading: platform, sorted: true, entry: []control{
		{name: platform, kind: Line, required: true, latin: true, hinted: true}, {name: address, kind: Link, required: true},
	}},
}

// identifier is the id of an item, which does not change when the item is edited.
var identifier = control{name: "id", kind: Hidden}

// In the message, links are stored in a map. In the form, they are entries with these two controls.
const (
	socials  = "socials"
	platform = "platform"
	address  = "address"
)

// sections are the groups of a CV's form.
var sections = slices.Concat([]group{about}, career, further)

// groups returns the groups of the form for a profile or, if withProfile is not set, for a CV.
func groups(withProfile bool) []group {
	if withProfile {
		return slices.Concat([]group{person}, career, []group{about, contact}, further, personal)
	}
	return sections
}

// IsOption reports whether the form offers the given keyword for a position.
func IsOption(keyword string) bool {
	for _, g := range sections {
		for _, c := range g.entry {
			if slices.Contains(c.options, keyword) {
				return true
			}
		}
	}
	return false
}
