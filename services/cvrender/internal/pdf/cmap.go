package pdf

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"
)

// readMap returns the text of each glyph code in a ToUnicode CMap (ISO 32000-1, 9.10.3). It expects
// the format that Skia writes, in which each line contains one code or one range.
func readMap(b []byte) map[int]string {
	out := map[int]string{}
	for line := range bytes.Lines(b) {
		fields := strings.Fields(string(line))
		if len(fields) < 2 || fields[0][0] != '<' || len(fields[0]) != 6 {
			continue
		}
		first, ok := code(fields[0])
		to := utf16Text(fields[len(fields)-1])
		switch {
		case !ok || to == "":
		case len(fields) == 2:
			out[first] = to
		case len(fields) == 3:
			last, _ := code(fields[1])
			runes := []rune(to)
			for c := first; c <= last; c++ {
				out[c] = string(runes)
				runes[len(runes)-1]++
			}
		}
	}
	return out
}

// code parses a code such as <1A2B>.
func code(token string) (int, bool) {
	n, err := strconv.ParseUint(strings.Trim(token, "<>"), 16, 16)
	return int(n), err == nil
}

// utf16Text decodes hexadecimal UTF-16, with or without a byte order mark. It returns "" if the
// input is invalid.
func utf16Text(token string) string {
	b, err := hex.DecodeString(strings.Trim(token, "<>"))
	if err != nil || len(b)%2 != 0 {
		return ""
	}
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i < len(b); i += 2 {
		units = append(units, uint16(b[i])<<8|uint16(b[i+1]))
	}
	if len(units) > 0 && units[0] == 0xfeff {
		units = units[1:]
	}
	return string(utf16.Decode(units))
}

// textOf decodes a text string (ISO 32000-1, 7.9.2.2). The string is either a literal in
// parentheses, in which Skia writes only ASCII, or hexadecimal.
func textOf(token []byte) string {
	inner, bracketed := bytes.CutPrefix(token, []byte("("))
	if !bracketed {
		return utf16Text(string(token))
	}
	var out strings.Builder
	escaped := false
	for _, c := range bytes.TrimSuffix(inner, []byte(")")) {
		if c == '\\' && !escaped {
			escaped = true
			continue
		}
		out.WriteByte(c)
		escaped = false
	}
	return out.String()
}

func utf16Hex(s string) string {
	var out strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&out, "%04X", u)
	}
	return out.String()
}

// writeMap returns a ToUnicode CMap that maps codes to the given texts.
func writeMap(texts map[int]string) []byte {
	var out bytes.Buffer
	out.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n" +
		"/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	for block := range slices.Chunk(slices.Sorted(maps.Keys(texts)), 100) {
		fmt.Fprintf(&out, "%d beginbfchar\n", len(block))
		for _, c := range block {
			fmt.Fprintf(&out, "<%04X> <%s>\n", c, utf16Hex(texts[c]))
		}
		out.WriteString("endbfchar\n")
	}
	out.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return out.Bytes()
}

// letters replaces presentation forms with the letters that they represent. Presentation forms are
// the shapes that a letter has at the beginning, in the middle and at the end of a word (Unicode,
// chapter 9.2).
func letters(s string) string {
	if !strings.ContainsFunc(s, isForm) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if isForm(r) {
			// The decomposition of a standalone mark starts with a space.
			out.WriteString(strings.TrimLeft(norm.NFKC.String(string(r)), " "))
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

func isForm(r rune) bool { return r >= 0xfb50 && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc }
