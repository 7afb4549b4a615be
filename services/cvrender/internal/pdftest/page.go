package pdftest

import (
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/ledongthuc/pdf"
)

// painting lists the operators that draw (ISO 32000-1, annex A).
var painting = []string{"Tj", "TJ", "'", `"`, "S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "sh", "Do", "EI"}

// page checks the content, annotations and fonts of a page.
func (c *check) page(number int, p pdf.Page) {
	key := p.V.Key("StructParents")
	if key.IsNull() {
		c.fault("01-005", "page %d has no place in the parent tree", number)
	}
	c.content(number, key.Int64(), p)
	annotations := p.V.Key("Annots")
	if annotations.Len() > 0 && p.V.Key("Tabs").Name() != "S" {
		c.fault("28-009", "the tab order of page %d is not that of the structure", number)
	}
	for i := range annotations.Len() {
		c.annotation(number, annotations.Index(i))
	}
	for _, name := range p.Fonts() {
		c.font(p.Font(name).V)
	}
}

// content checks that everything drawn is either tagged or an artifact.
func (c *check) content(number int, key int64, p pdf.Page) {
	const artifact, tagged = 'a', 't'
	var open []rune
	pdf.Interpret(p.V.Key("Contents"), func(stack *pdf.Stack, op string) {
		switch op {
		case "BMC", "BDC":
			var properties pdf.Value
			if op == "BDC" {
				properties = stack.Pop()
			}
			kind := ' '
			if stack.Pop().Name() == "Artifact" {
				kind = artifact
			} else if id := properties.Key("MCID"); !id.IsNull() {
				kind = tagged
				c.taggedOnce(number, place{key, id.Int64()})
			}
			c.nested(number, open, kind)
			open = append(open, kind)
		case "EMC":
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		default:
			if slices.Contains(painting, op) && !slices.Contains(open, artifact) && !slices.Contains(open, tagged) {
				c.fault("01-005", "page %d paints something that is neither tagged nor an artifact (%s)", number, op)
			}
		}
	})
}

// taggedOnce checks that a marked-content sequence belongs to exactly one element.
func (c *check) taggedOnce(number int, where place) {
	if c.tagged[where] == 0 {
		c.fault("01-005", "the content %d of page %d has no element, or is there twice", where.content, number)
		return
	}
	c.tagged[where]--
}

func (c *check) nested(number int, open []rune, kind rune) {
	if kind == 'a' && slices.Contains(open, 't') {
		c.fault("01-003", "an artifact stands in tagged content on page %d", number)
	}
	if kind == 't' && slices.Contains(open, 'a') {
		c.fault("01-004", "tagged content stands in an artifact on page %d", number)
	}
}

// annotation checks an annotation. The only annotations in a CV are links.
func (c *check) annotation(number int, a pdf.Value) {
	if a.Key("Subtype").Name() != "Link" {
		c.fault("28-002", "page %d has an annotation of the kind %s", number, a.Key("Subtype").Name())
		return
	}
	c.annotated++
	if a.Key("Contents").Text() == "" {
		c.fault("28-012", "a link on page %d has no description", number)
	}
	if a.Key("StructParent").IsNull() {
		c.fault("28-011", "a link on page %d has no place in the parent tree", number)
	}
}

// font checks that a font is embedded and that its characters map to text.
func (c *check) font(f pdf.Value) {
	name := f.Key("BaseFont").Name()
	descriptor := f.Key("DescendantFonts").Index(0).Key("FontDescriptor")
	if f.Key("Subtype").Name() != "Type0" {
		descriptor = f.Key("FontDescriptor")
	}
	embedded := !descriptor.Key("FontFile").IsNull() || !descriptor.Key("FontFile2").IsNull() || !descriptor.Key("FontFile3").IsNull()
	if !embedded && f.Key("Subtype").Name() != "Type3" {
		c.fault("31-009", "the font %s is not embedded", name)
	}
	texts := f.Key("ToUnicode")
	if texts.Kind() != pdf.Stream {
		c.fault("31-027", "the characters of the font %s have no texts", name)
		return
	}
	body := texts.Reader()
	defer body.Close()
	raw, err := io.ReadAll(body)
	if err != nil {
		c.fault("31-027", "the texts of the font %s cannot be read: %v", name, err)
	}
	for _, part := range mapped.FindAllSubmatch(raw, -1) {
		entries := word.FindAllSubmatch(part[2], -1)
		size := map[string]int{"bfchar": 2, "bfrange": 3}[string(part[1])]
		for i := size - 1; i < len(entries); i += size {
			if slices.Contains(noTexts, strings.ToUpper(string(entries[i][1]))) {
				c.fault("31-028", "a character of the font %s has no text", name)
			}
		}
	}
}

// mapped matches the entries of a ToUnicode map. word matches a part of an entry, which has one or more
// codes, followed by text (ISO 32000-1, 9.10.3).
var (
	mapped = regexp.MustCompile(`(?s)begin(bfchar|bfrange)(.*?)end`)
	word   = regexp.MustCompile(`<([0-9A-Fa-f]*)>`)
)

// noTexts are the values that stand for missing text: U+0000, U+FEFF and U+FFFE in UTF-16.
var noTexts = []string{"0000", "FEFF", "FFFE"}
