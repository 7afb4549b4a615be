package pdfa

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/ledongthuc/pdf"
)

// font is a font of a file: the texts and widths of its codes, and the glyphs that they show.
type font struct {
	name     string
	texts    map[int]string
	widths   map[int]float64
	standard float64
	// glyphs are the numbers of the glyphs of codes; nil if these are the same.
	glyphs []byte
	// advances are the widths in the program of the font, in thousandths of the size.
	advances []float64
}

// font checks the dictionaries of a font, and reads it. A CV has composite fonts of TrueType alone.
func (c *check) font(v pdf.Value) (*font, error) {
	inner := v.Key("DescendantFonts").Index(0)
	out := &font{name: v.Key("BaseFont").Name()}
	if v.Key("Type").Name() != "Font" || v.Key("Subtype").Name() != "Type0" || inner.Key("Subtype").Name() != "CIDFontType2" || out.name == "" {
		c.fault("6.2.11.2", "the font %s is of another kind", out.name)
	}
	if v.Key("Encoding").Name() != "Identity-H" {
		c.fault("6.2.11.3.1", "the font %s has the encoding %s", out.name, v.Key("Encoding").Name())
	}
	switch to := inner.Key("CIDToGIDMap"); {
	case to.Kind() == pdf.Stream:
		var err error
		if out.glyphs, err = content(to); err != nil {
			return nil, err
		}
	case to.Name() != "Identity":
		c.fault("6.2.11.3.2", "the font %s does not say which glyphs its codes show", out.name)
	}
	out.readWidths(inner)
	if texts := v.Key("ToUnicode"); texts.Kind() == pdf.Stream {
		raw, err := content(texts)
		if err != nil {
			return nil, err
		}
		out.texts = readTexts(raw)
	}
	file := inner.Key("FontDescriptor").Key("FontFile2")
	if file.Kind() != pdf.Stream {
		c.fault("6.2.11.4.1", "the font %s is not embedded", out.name)
		return out, nil
	}
	program, err := content(file)
	if err != nil {
		return nil, err
	}
	if out.advances = advances(program); out.advances == nil {
		c.fault("6.2.11.2", "the program of the font %s cannot be read", out.name)
	}
	return out, nil
}

// readWidths reads the widths of codes (ISO 32000-1, 9.7.4.3).
func (f *font) readWidths(inner pdf.Value) {
	f.widths, f.standard = map[int]float64{}, 1000
	if w := inner.Key("DW"); !w.IsNull() {
		f.standard = w.Float64()
	}
	list := inner.Key("W")
	for i := 0; i+1 < list.Len(); {
		first := int(list.Index(i).Int64())
		if several := list.Index(i + 1); several.Kind() == pdf.Array {
			for j := range several.Len() {
				f.widths[first+j] = several.Index(j).Float64()
			}
			i += 2
			continue
		}
		for code := first; code <= int(list.Index(i+1).Int64()); code++ {
			f.widths[code] = list.Index(i + 2).Float64()
		}
		i += 3
	}
}

// mapping matches an entry of a map to Unicode with a code and its text.
var mapping = regexp.MustCompile(`(?m)^<([0-9A-F]{4})> <((?:[0-9A-F]{4})+)>$`)

func readTexts(cmap []byte) map[int]string {
	out := map[int]string{}
	for _, entry := range mapping.FindAllSubmatch(cmap, -1) {
		code, _ := hex.DecodeString(string(entry[1]))
		text, _ := hex.DecodeString(string(entry[2]))
		var units []uint16
		for i := 0; i+1 < len(text); i += 2 {
			units = append(units, binary.BigEndian.Uint16(text[i:]))
		}
		out[int(binary.BigEndian.Uint16(code))] = string(utf16.Decode(units))
	}
	return out
}

// advances reads the widths of the glyphs of a TrueType font (OpenType 1.9: head, hhea, hmtx); nil if
// there are none.
func advances(program []byte) []float64 {
	tables := map[string][]byte{}
	for i := 12; i+16 <= len(program) && len(tables) < int(binary.BigEndian.Uint16(program[4:])); i += 16 {
		from, size := binary.BigEndian.Uint32(program[i+8:]), binary.BigEndian.Uint32(program[i+12:])
		if uint64(from)+uint64(size) <= uint64(len(program)) {
			tables[string(program[i:i+4])] = program[from : from+size]
		}
	}
	head, hhea, hmtx := tables["head"], tables["hhea"], tables["hmtx"]
	if len(head) < 20 || len(hhea) < 36 || len(hmtx) < 4 {
		return nil
	}
	unit, count := float64(binary.BigEndian.Uint16(head[18:])), int(binary.BigEndian.Uint16(hhea[34:]))
	var out []float64
	for i := 0; i < count && 4*i+1 < len(hmtx); i++ {
		out = append(out, 1000*float64(binary.BigEndian.Uint16(hmtx[4*i:]))/unit)
	}
	return out
}

// show checks the characters of a string. mode is how they are drawn (ISO 32000-1, table 106).
func (c *check) show(f *font, codes string, mode int64) {
	const invisible = 3
	for i := 0; i+1 < len(codes); i += 2 {
		code := int(codes[i])<<8 | int(codes[i+1])
		glyph := code
		if f.glyphs != nil && 2*code+1 < len(f.glyphs) {
			glyph = int(binary.BigEndian.Uint16(f.glyphs[2*code:]))
		}
		text, ok := f.texts[code]
		switch {
		case !ok:
			c.fault("6.2.11.7.2", "the code %04X of %s has no text", code, f.name)
		case strings.ContainsAny(text, "\x00\ufeff\ufffe"):
			c.fault("6.2.11.7.2", "the code %04X of %s stands for no character", code, f.name)
		case strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Co, r) }):
			c.fault("6.2.11.7.3", "the code %04X of %s stands for a character of private use", code, f.name)
		}
		if glyph == 0 {
			c.fault("6.2.11.8", "the code %04X of %s shows .notdef", code, f.name)
		}
		width, said := f.widths[code]
		if !said {
			width = f.standard
		}
		if mode == invisible || len(f.advances) == 0 {
			continue
		}
		if own := f.advances[min(glyph, len(f.advances)-1)]; math.Abs(own-width) > 1 {
			c.fault("6.2.11.5", "the code %04X of %s is %g wide, its glyph %g", code, f.name, width, own)
		}
	}
}
