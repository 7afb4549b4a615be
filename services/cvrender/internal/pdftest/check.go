package pdftest

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/ledongthuc/pdf"
)

// Matterhorn checks a file against those failure conditions of the Matterhorn Protocol 1.1 that a program
// can check and that apply to a CV. It returns one line per fault. Each line starts with the number of the
// condition, such as "14-003", or with the violated clause. It returns an error if the file cannot be read.
func Matterhorn(file []byte) (faults []string, err error) {
	r, err := pdf.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, fmt.Errorf("pdftest: %w", err)
	}
	c := &check{reader: r, catalog: r.Trailer().Key("Root"), tagged: map[place]int{}}
	if err := c.metadata(); err != nil {
		return nil, err
	}
	c.document()
	c.roles()
	c.structure(c.catalog.Key("StructTreeRoot"), element{}, -1)
	c.headings()
	for number := 1; number <= r.NumPage(); number++ {
		c.page(number, r.Page(number))
	}
	c.leftOver()
	return c.faults, nil
}

// check holds the state of a check.
type check struct {
	reader  *pdf.Reader
	catalog pdf.Value
	faults  []string
	// levels are the levels of the headings in reading order.
	levels []int
	// tagged counts, for each marked-content sequence, the references in the structure tree.
	tagged map[place]int
	// links is the number of link annotations in link elements.
	links int
	// annotated is the number of link annotations.
	annotated int
}

// place identifies a marked-content sequence by the key of its page in the parent tree and its number on
// that page.
type place struct{ page, content int64 }

func (c *check) fault(condition, format string, args ...any) {
	c.faults = append(c.faults, condition+": "+fmt.Sprintf(format, args...))
}

// document checks the properties of the file.
func (c *check) document() {
	if !c.catalog.Key("MarkInfo").Key("Marked").Bool() {
		c.fault("ISO 14289-1, 7.1", "the file does not say that it is tagged")
	}
	if c.catalog.Key("MarkInfo").Key("Suspects").Bool() {
		c.fault("01-007", "Suspects is true")
	}
	if c.catalog.Key("StructTreeRoot").IsNull() {
		c.fault("01-005", "there is no structure tree")
	}
	if shown := c.catalog.Key("ViewerPreferences").Key("DisplayDocTitle"); shown.IsNull() {
		c.fault("07-001", "DisplayDocTitle is missing")
	} else if !shown.Bool() {
		c.fault("07-002", "DisplayDocTitle is false")
	}
	if c.catalog.Key("Lang").Text() == "" {
		c.fault("11-001", "the language of the document is missing")
	}
	if !c.catalog.Key("AcroForm").Key("XFA").IsNull() {
		c.fault("25-001", "there is an XFA form")
	}
	if !c.reader.Trailer().Key("Encrypt").IsNull() {
		c.fault("26-001", "the file is encrypted")
	}
}

// metadata checks the XMP packet of the file.
func (c *check) metadata() error {
	stream := c.catalog.Key("Metadata")
	if stream.Kind() != pdf.Stream {
		c.fault("06-001", "there is no XMP metadata")
		return nil
	}
	body := stream.Reader()
	defer body.Close()
	raw, err := io.ReadAll(body)
	if err != nil {
		return fmt.Errorf("pdftest: metadata: %w", err)
	}
	texts := map[string]string{}
	var open []string
	d := xml.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := d.Token()
		if err == io.EOF { //nolint:errorlint // the decoder does not wrap io.EOF
			break
		}
		if err != nil {
			return fmt.Errorf("pdftest: metadata: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			open = append(open, t.Name.Space+t.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, name := range open {
				texts[name] += strings.TrimSpace(string(t))
			}
		}
	}
	if texts["http://www.aiim.org/pdfua/ns/id/part"] != "1" {
		c.fault("06-002", "the metadata do not say PDF/UA-1")
	}
	if texts["http://purl.org/dc/elements/1.1/title"] == "" {
		c.fault("06-003", "the metadata have no title")
	}
	return nil
}

// headings checks the levels of the headings.
func (c *check) headings() {
	before := 0
	for i, level := range c.levels {
		if i == 0 && level != 1 {
			c.fault("14-002", "the first heading is H%d", level)
		}
		if i > 0 && level > before+1 {
			c.fault("14-003", "H%d follows H%d", level, before)
		}
		before = level
	}
}

// leftOver checks for references to missing content.
func (c *check) leftOver() {
	for where, times := range c.tagged {
		if times > 0 {
			c.fault("ISO 32000-1, 14.7.4", "the structure has the content %d of page %d more often than the page", where.content, where.page)
		}
	}
	if c.links != c.annotated {
		c.fault("28-011", "%d links, and %d in elements of links", c.annotated, c.links)
	}
}
