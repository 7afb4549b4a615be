package pdftest

import (
	"slices"
	"strconv"

	"github.com/ledongthuc/pdf"
)

// standard maps the standard structure types (ISO 32000-1, 14.8.4) to their allowed parents, or to nil if any
// parent is allowed.
var standard = map[string][]string{
	"Document": nil, "Part": nil, "Art": nil, "Sect": nil, "Div": nil, "BlockQuote": nil, "Caption": nil, "TOC": nil, "TOCI": {"TOC"}, "Index": nil,
	"NonStruct": nil, "Private": nil, "P": nil, "H": nil, "H1": nil, "H2": nil, "H3": nil, "H4": nil, "H5": nil, "H6": nil,
	"L": nil, "LI": {"L"}, "Lbl": nil, "LBody": {"LI"},
	"Table": nil, "TR": {"Table", "THead", "TBody", "TFoot"}, "TH": {"TR"}, "TD": {"TR"}, "THead": {"Table"}, "TBody": {"Table"}, "TFoot": {"Table"},
	"Span": nil, "Quote": nil, "Note": nil, "Reference": nil, "BibEntry": nil, "Code": nil, "Link": nil, "Annot": nil, "Ruby": nil, "Warichu": nil,
	"RB": {"Ruby"}, "RT": {"Ruby"}, "RP": {"Ruby", "Warichu"}, "WT": {"Warichu"}, "Figure": nil, "Formula": nil, "Form": nil,
}

// holds maps elements to their allowed children.
var holds = map[string][]string{
	"L": {"LI", "L", "Caption"}, "LI": {"Lbl", "LBody"}, "TR": {"TH", "TD"}, "Table": {"TR", "THead", "TBody", "TFoot", "Caption"},
	"THead": {"TR"}, "TBody": {"TR"}, "TFoot": {"TR"},
}

// conditions maps misplaced elements to their failure conditions.
var conditions = map[string]string{
	"L": "09-005", "LI": "09-005", "LBody": "09-005", "TOCI": "09-006", "RB": "09-007", "RT": "09-007", "RP": "09-007", "WT": "09-008",
	"Table": "09-004", "TR": "09-004", "TH": "09-004", "TD": "09-004", "THead": "09-004", "TBody": "09-004", "TFoot": "09-004",
}

// element describes the element that contains another element.
type element struct {
	// kind is the standard type of the element, or "" for the root of the tree.
	kind string
	// inLink reports whether the element is inside a link.
	inLink bool
}

// roles checks that non-standard types are mapped to standard ones.
func (c *check) roles() {
	roles := c.catalog.Key("StructTreeRoot").Key("RoleMap")
	for _, from := range roles.Keys() {
		if _, ok := standard[from]; ok {
			c.fault("02-004", "the standard type %s is mapped to another one", from)
		}
		if c.role(from) == "" {
			c.fault("02-001", "the type %s is mapped to no standard type", from)
		}
	}
}

// role returns the standard type to which a type is mapped, or "" if there is none.
func (c *check) role(kind string) string {
	roles := c.catalog.Key("StructTreeRoot").Key("RoleMap")
	for range 16 { // a longer chain must be a cycle
		if _, ok := standard[kind]; ok {
			return kind
		}
		kind = roles.Key(kind).Name()
	}
	return ""
}

// structure checks an element or the root, and its children. page is the key of its page in the parent tree,
// or -1 if it is unknown.
func (c *check) structure(v pdf.Value, around element, page int64) {
	if own := v.Key("Pg"); !own.IsNull() {
		page = own.Key("StructParents").Int64()
	}
	here := around
	if kind := v.Key("S").Name(); kind != "" {
		here = c.element(v, kind, around)
	}
	kids := v.Key("K")
	if kids.Kind() != pdf.Array {
		c.kid(kids, here, page)
		return
	}
	for i := range kids.Len() {
		c.kid(kids.Index(i), here, page)
	}
}

// kid checks a child of an element.
func (c *check) kid(v pdf.Value, around element, page int64) {
	switch {
	case v.Kind() == pdf.Integer:
		c.tagged[place{page, v.Int64()}]++
	case v.Kind() != pdf.Dict:
	case !v.Key("S").IsNull():
		c.structure(v, around, page)
	case v.Key("Type").Name() == "OBJR":
		if around.inLink && v.Key("Obj").Key("Subtype").Name() == "Link" {
			c.links++
		}
	default: // marked-content references (ISO 32000-1, table 324)
		if own := v.Key("Pg"); !own.IsNull() {
			page = own.Key("StructParents").Int64()
		}
		c.tagged[place{page, v.Key("MCID").Int64()}]++
	}
}

// element checks an element and whether its parent is allowed.
func (c *check) element(v pdf.Value, kind string, around element) element {
	kind = c.role(kind)
	if kind == "" {
		c.fault("02-001", "the type %s is mapped to no standard type", v.Key("S").Name())
		return around
	}
	if allowed := standard[kind]; allowed != nil && !slices.Contains(allowed, around.kind) {
		c.fault(conditions[kind], "%s stands in %q", kind, around.kind)
	}
	if only := holds[around.kind]; only != nil && !slices.Contains(only, kind) {
		c.fault(conditions[around.kind], "%s holds %s", around.kind, kind)
	}
	if kind == "Figure" && v.Key("Alt").Text() == "" && v.Key("ActualText").Text() == "" {
		c.fault("13-004", "a figure has no description")
	}
	if kind == "H" {
		c.fault("14-007", "there are headings without a level beside those with one")
	}
	if level, err := strconv.Atoi(kind[1:]); err == nil && kind[0] == 'H' {
		c.levels = append(c.levels, level)
	}
	return element{kind: kind, inLink: around.inLink || kind == "Link"}
}
