package pdfa

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"

	"github.com/ledongthuc/pdf"
)

// Check gives what is wrong with a file, a line each, which begins with the clause that is broken,
// such as "6.2.4.3". It fails for a file that cannot be read.
func Check(file []byte) (faults []string, err error) {
	r, err := pdf.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, fmt.Errorf("pdfa: %w", err)
	}
	c := &check{reader: r, catalog: r.Trailer().Key("Root")}
	c.syntax(file)
	c.document()
	c.intent()
	if err := c.metadata(); err != nil {
		return nil, err
	}
	c.languages(c.catalog.Key("StructTreeRoot"), 0)
	for number := 1; number <= r.NumPage(); number++ {
		if err := c.page(number, r.Page(number).V); err != nil {
			return nil, err
		}
	}
	return c.faults, nil
}

// check is a file that is being checked.
type check struct {
	reader  *pdf.Reader
	catalog pdf.Value
	faults  []string
}

func (c *check) fault(clause, format string, args ...any) {
	c.faults = append(c.faults, clause+": "+fmt.Sprintf(format, args...))
}

// document checks what the catalog says of the structure.
func (c *check) document() {
	if !c.catalog.Key("MarkInfo").Key("Marked").Bool() {
		c.fault("6.7.2.2", "the file does not say that it is tagged")
	}
	if c.catalog.Key("StructTreeRoot").IsNull() {
		c.fault("6.7.3.3", "there is no structure tree")
	}
	if !language.MatchString(c.catalog.Key("Lang").Text()) {
		c.fault("6.7.4", "the language of the document is %q", c.catalog.Key("Lang").Text())
	}
}

// language matches a language tag (RFC 3066, 2.1).
var language = regexp.MustCompile(`^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$`)

// maxDepth bounds how deep structure elements may stand in each other.
const maxDepth = 64

// languages checks the languages of an element and of what it holds.
func (c *check) languages(v pdf.Value, depth int) {
	if v.Key("Type").Name() == "OBJR" {
		return
	}
	if depth > maxDepth {
		c.fault("6.7.4", "the structure is deeper than %d elements", maxDepth)
		return
	}
	if own := v.Key("Lang"); !own.IsNull() && !language.MatchString(own.Text()) {
		c.fault("6.7.4", "the language of an element is %q", own.Text())
	}
	kids := v.Key("K")
	if kids.Kind() == pdf.Dict {
		c.languages(kids, depth+1)
	}
	for i := range kids.Len() {
		if kid := kids.Index(i); kid.Kind() == pdf.Dict {
			c.languages(kid, depth+1)
		}
	}
}

// intent checks the output intent: as colours are RGB or gray, its profile must be of RGB.
func (c *check) intent() {
	intents := c.catalog.Key("OutputIntents")
	if intents.Len() != 1 || intents.Index(0).Key("S").Name() != "GTS_PDFA1" {
		c.fault("6.2.3", "there is not one output intent of PDF/A")
		return
	}
	if intents.Index(0).Key("OutputConditionIdentifier").Text() == "" {
		c.fault("6.2.3", "the output intent has no name")
	}
	c.profile("6.2.3", "6.2.4.3", intents.Index(0).Key("DestOutputProfile"))
}

// profile checks a profile. clause is that of profiles, and colours that of what it is of: RGB, or gray
// where it is a picture's own.
func (c *check) profile(clause, colours string, stream pdf.Value) {
	if stream.Kind() != pdf.Stream {
		c.fault(clause, "there is no profile")
		return
	}
	profile, err := content(stream)
	if err != nil || len(profile) < 132 || int(binary.BigEndian.Uint32(profile)) != len(profile) || string(profile[36:40]) != "acsp" {
		c.fault(clause, "the profile is none")
		return
	}
	class, space, n := string(profile[12:16]), string(profile[16:20]), stream.Key("N").Int64()
	if profile[8] >= 5 {
		c.fault(clause, "the profile has the version %d", profile[8])
	}
	if class != "mntr" && class != "prtr" {
		c.fault(clause, "the profile is of the class %q", class)
	}
	if (space != "RGB " || n != 3) && (clause == "6.2.3" || space != "GRAY" || n != 1) {
		c.fault(colours, "the profile is of %q, with %d numbers", space, n)
	}
}
