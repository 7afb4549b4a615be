package pdf

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxCode is the largest two-byte code.
const maxCode = 0xffff

// font is a font in a file, together with the texts that its codes will have.
type font struct {
	// inner is the object number of the CIDFont. table is the object number of the ToUnicode map of
	// the Type 0 font that contains the CIDFont (ISO 32000-1, 9.7).
	inner, table int
	widths       map[int]float64
	defaultWidth float64
	// given maps glyphs to the texts that Skia has written for them.
	given map[int]string
	// last is the largest glyph number on the pages. The code of a glyph is the same as its number.
	last int
	// texts maps the codes in use to their texts.
	texts map[int]string
	// more lists additional codes in order. They start after the last glyph.
	more []extra
	// outlines contains the shapes of the glyphs. It is nil if the font is not one of the
	// renderer's own.
	outlines *outlines
	// lacks reports whether a page shows a glyph without a text, or a character that no font
	// contains.
	lacks bool
}

// extra is an additional code for a glyph, with a different text. A hidden code is never drawn, and
// has its own width, in thousandths of the font size.
type extra struct {
	glyph  int
	text   string
	hidden bool
	width  float64
}

func (f *file) font(number int, shapes map[string]*outlines) (*font, error) {
	outer := f.objects[number]
	if outer == nil {
		return nil, errObject
	}
	descendants := bytes.Trim(entry(outer.value, "DescendantFonts"), "[]")
	inner, table := whole(firstField(descendants)), reference(outer.value, "ToUnicode")
	if f.objects[inner] == nil || f.objects[table] == nil {
		return nil, fmt.Errorf("%w: font %d", errObject, number)
	}
	cmap, err := f.objects[table].data()
	if err != nil {
		return nil, err
	}
	out := &font{inner: inner, table: table, given: readMap(cmap), texts: map[int]string{}}
	for c, t := range out.given {
		out.given[c] = letters(t)
	}
	_, called, _ := strings.Cut(string(entry(outer.value, "BaseFont")), "+")
	out.outlines = shapes[called]
	out.readWidths(f.objects[inner].value)
	return out, nil
}

// readWidths reads the widths of the glyphs, in thousandths of the font size (ISO 32000-1,
// 9.7.4.3).
func (f *font) readWidths(dict []byte) {
	f.widths = map[int]float64{}
	f.defaultWidth = 1000
	if w, err := strconv.ParseFloat(string(entry(dict, "DW")), 64); err == nil {
		f.defaultWidth = w
	}
	list := entry(dict, "W")
	s := scanner{rest: bytes.TrimSuffix(bytes.TrimPrefix(list, []byte("[")), []byte("]"))}
	for {
		first, k := s.token()
		if k != number {
			return
		}
		at := whole(first)
		next, k := s.token()
		if k == number {
			width, _ := s.token()
			for c := at; c <= min(whole(next), maxCode); c++ {
				f.widths[c] = decimal(width)
			}
			continue
		}
		for i, w := range bytes.Fields(bytes.Trim(next, "[]")) {
			f.widths[at+i] = decimal(w)
		}
	}
}

func (f *font) width(c int) float64 {
	if w, ok := f.widths[c]; ok {
		return w
	}
	return f.defaultWidth
}

// code returns a code that shows the glyph and stands for the text.
func (f *font) code(glyph int, text string) int {
	f.note(glyph, text)
	if before, used := f.texts[glyph]; !used || before == text {
		f.texts[glyph] = text
		return glyph
	}
	return f.further(extra{glyph: glyph, text: text})
}

// note records in lacks whether a visible glyph has no character, or has a text that a ToUnicode
// map must not contain (ISO 14289-1, 7.21.7 and 7.21.8).
func (f *font) note(glyph int, text string) {
	f.lacks = f.lacks || glyph == 0 || text == "" || strings.ContainsAny(text, "\x00\ufeff\ufffe")
}

// hidden returns a code that stands for the text but draws nothing.
func (f *font) hidden(glyph int, text string, width float64) int {
	f.note(glyph, text)
	return f.further(extra{glyph: glyph, text: text, hidden: true, width: width})
}

func (f *font) further(e extra) int {
	i := slices.Index(f.more, e)
	if i < 0 {
		i = len(f.more)
		f.more = append(f.more, e)
	}
	c := f.last + 1 + i
	f.texts[c], f.widths[c] = e.text, f.width(e.glyph)
	if e.hidden {
		f.widths[c] = e.width
	}
	return c
}

// describe sets the font family in the font descriptor. ISO 32000-1, table 122, requires it for
// tagged files.
func (f *font) describe(to *file) {
	descriptor := to.objects[reference(to.objects[f.inner].value, "FontDescriptor")]
	if descriptor != nil && f.outlines != nil {
		descriptor.value = with(descriptor.value, "FontFamily", "("+f.outlines.family+")")
	}
}

// finish writes the texts and the additional codes to the file.
func (f *font) finish(to *file) error {
	f.describe(to)
	if err := to.objects[f.table].setStream(writeMap(f.texts), ""); err != nil || len(f.more) == 0 {
		return err
	}
	// Codes that differ from glyph numbers need a table that maps codes to glyphs (ISO 32000-1,
	// 9.7.4.2).
	glyphs := make([]byte, 0, 2*(f.last+1+len(f.more)))
	for g := range f.last + 1 {
		glyphs = append(glyphs, byte(g>>8), byte(g))
	}
	var widths bytes.Buffer
	for i, e := range f.more {
		glyphs = append(glyphs, byte(e.glyph>>8), byte(e.glyph))
		fmt.Fprintf(&widths, " %s", short(f.widths[f.last+1+i]))
	}
	table := &object{}
	if err := table.setStream(glyphs, ""); err != nil {
		return err
	}
	inner := to.objects[f.inner]
	list := []byte("[") // a font in which all glyphs have the default width has no list
	if w := entry(inner.value, "W"); w != nil {
		list = bytes.TrimSuffix(w, []byte("]"))
	}
	inner.value = with(inner.value, "W", fmt.Sprintf("%s %d [%s]]", list, f.last+1, widths.String()[1:]))
	inner.value = with(inner.value, "CIDToGIDMap", fmt.Sprintf("%d 0 R", to.add(table)))
	return nil
}
