package pdfa

import (
	"slices"
	"strings"

	"github.com/ledongthuc/pdf"
)

// operators are those of ISO 32000-1, annex A, that a CV has. Of colours it has RGB and gray alone,
// for which the output intent is enough (6.2.4.3). The standard allows others too.
var operators = strings.Fields("b B b* B* BDC BMC BT c cm d Do EMC ET f f* g G gs h i j J l m M n q Q re rg RG s S T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y")

// blends are the blend modes of ISO 32000-1, 11.3.5, that a CV may have.
var blends = []string{"", "Normal", "Compatible", "Multiply", "Screen", "Overlay"}

// The flags of an annotation (ISO 32000-1, table 165): printed, and not invisible, hidden, not viewed
// or viewed in turn.
const (
	printed   = 1 << 2
	notHidden = 1<<0 | 1<<1 | 1<<5 | 1<<8
)

// page checks a page, its resources, its annotations and its content.
func (c *check) page(number int, p pdf.Value) error {
	box := p.Key("MediaBox")
	for i := range 2 {
		if size := box.Index(i+2).Float64() - box.Index(i).Float64(); size < 3 || size > 14400 {
			c.fault("6.1.13", "page %d has a side of %g", number, size)
		}
	}
	resources := p.Key("Resources")
	if resources.IsNull() {
		c.fault("6.2.2", "page %d has no resources of its own", number)
	}
	for _, name := range resources.Key("ExtGState").Keys() {
		if blend := resources.Key("ExtGState").Key(name).Key("BM").Name(); !slices.Contains(blends, blend) {
			c.fault("6.2.10", "page %d has the blend mode %s", number, blend)
		}
	}
	for _, name := range resources.Key("XObject").Keys() {
		c.object(number, resources.Key("XObject").Key(name))
	}
	for i := range p.Key("Annots").Len() {
		c.annotation(number, p.Key("Annots").Index(i))
	}
	fonts := map[string]*font{}
	for _, name := range resources.Key("Font").Keys() {
		one, err := c.font(resources.Key("Font").Key(name))
		if err != nil {
			return err
		}
		fonts[name] = one
	}
	raw, err := content(p.Key("Contents"))
	if err != nil {
		return err
	}
	before := len(c.faults)
	if c.strings(raw); len(c.faults) > before {
		return nil // the reader cannot go on with such strings
	}
	c.content(number, p.Key("Contents"), resources, fonts)
	return nil
}

// object checks a picture or a form.
func (c *check) object(number int, v pdf.Value) {
	kind := v.Key("Subtype").Name()
	if kind != "Image" && kind != "Form" {
		c.fault("6.2.9", "page %d has an object of the kind %s", number, kind)
	}
	if space := v.Key("ColorSpace"); space.Kind() == pdf.Array && space.Index(0).Name() == "ICCBased" {
		c.profile("6.2.4.2", "6.2.4.2", space.Index(1))
	} else if kind == "Image" && space.Name() != "DeviceRGB" && space.Name() != "DeviceGray" {
		c.fault("6.2.4.3", "page %d has a picture in another colour space", number)
	}
	if bits := v.Key("BitsPerComponent").Int64(); kind == "Image" && bits != 8 && bits != 1 {
		c.fault("6.2.8", "page %d has a picture of %d bits", number, bits)
	}
}

// annotation checks an annotation: a CV has links to addresses alone.
func (c *check) annotation(number int, a pdf.Value) {
	if kind := a.Key("Subtype").Name(); kind != "Link" {
		c.fault("6.3.1", "page %d has an annotation of the kind %s", number, kind)
	}
	if flags := a.Key("F").Int64(); flags&printed == 0 || flags&notHidden != 0 {
		c.fault("6.3.2", "an annotation of page %d has the flags %d", number, flags)
	}
	if kind := a.Key("A").Key("S").Name(); kind != "URI" {
		c.fault("6.5.1", "an annotation of page %d has the action %s", number, kind)
	}
}

// content checks the operators of a content, and the characters that it shows.
func (c *check) content(number int, stream, resources pdf.Value, fonts map[string]*font) {
	var now *font
	depth, mode := 0, int64(0)
	pdf.Interpret(stream, func(stack *pdf.Stack, op string) {
		if !slices.Contains(operators, op) {
			clause := "6.2.2"
			if slices.Contains([]string{"k", "K", "cs", "CS", "sc", "SC", "scn", "SCN", "sh"}, op) {
				clause = "6.2.4.3"
			}
			c.fault(clause, "page %d has the operator %s", number, op)
		}
		args := make([]pdf.Value, stack.Len())
		for i := range slices.Backward(args) {
			args[i] = stack.Pop()
		}
		switch {
		case op == "q":
			if depth++; depth == maxNesting+1 {
				c.fault("6.1.13", "page %d saves its state more than %d times", number, maxNesting)
			}
		case op == "Q":
			depth--
		case op == "Tr" && len(args) == 1:
			mode = args[0].Int64()
		case op == "Tf" && len(args) == 2:
			if now = fonts[args[0].Name()]; now == nil {
				c.fault("6.2.2", "page %d has no font %s", number, args[0].Name())
			}
		case op == "Do" && len(args) == 1 && resources.Key("XObject").Key(args[0].Name()).IsNull():
			c.fault("6.2.2", "page %d has no object %s", number, args[0].Name())
		case op == "Tj" && len(args) == 1 && now != nil:
			c.show(now, args[0].RawString(), mode)
		case op == "TJ" && len(args) == 1 && now != nil:
			for i := range args[0].Len() {
				c.show(now, args[0].Index(i).RawString(), mode)
			}
		}
	})
}
