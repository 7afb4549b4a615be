package pdfa

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
)

var (
	header      = regexp.MustCompile(`^%PDF-1\.[0-7]\n%`)
	ending      = regexp.MustCompile(`\nstartxref\n\d+\n%%EOF\n?$`)
	table       = regexp.MustCompile(`(?s)\nxref\n0 \d+\n((?:\d{10} \d{5} [fn] \n)+)trailer\b`)
	begins      = regexp.MustCompile(`(?:^|\n)\d+ \d+ obj\n`)
	anyBegin    = regexp.MustCompile(`\d+\s+\d+\s+obj\b`)
	length      = regexp.MustCompile(`/Length (\d+)`)
	hexString   = regexp.MustCompile(`<([^<>]*)>`)
	hexDigits   = regexp.MustCompile(`^([0-9A-Fa-f]{2})*$`)
	nameToken   = regexp.MustCompile(`/[^\s()<>\[\]{}/%]*`)
	numberToken = regexp.MustCompile(`[\s\[][-+]?\d[\d.]*`)
)

// maxString, maxName and maxNesting are the limits of 6.1.13.
const (
	maxString  = 32767
	maxName    = 127
	maxNesting = 28
)

// forbidden are keys and values, with the clause that forbids them, or the file of a CV.
var forbidden = map[string]string{
	"/Encrypt": "6.1.3", "/FFilter": "6.1.7.1", "/FDecodeParms": "6.1.7.1", "/LZWDecode": "6.1.7.2", "/Crypt": "6.1.7.2", "/Perms": "6.1.12",
	"/DeviceCMYK": "6.2.4.3", "/DeviceN": "6.2.4.4", "/Separation": "6.2.4.4", "/TR": "6.2.5", "/TR2": "6.2.5", "/HT": "6.2.5", "/HTP": "6.2.5", "/RI": "6.2.6",
	"/Alternates": "6.2.8", "/OPI": "6.2.8", "/Interpolate": "6.2.8", "/JPXDecode": "6.2.8.3", "/PS": "6.2.9", "/Ref": "6.2.9", "/CIDSet": "6.2.11.4.2",
	"/AcroForm": "6.4.1", "/XFA": "6.4.2", "/NeedsRendering": "6.4.2", "/JavaScript": "6.5.1", "/Launch": "6.5.1", "/SubmitForm": "6.5.1", "/OpenAction": "6.5.1",
	"/AA": "6.5.2", "/EF": "6.8", "/EmbeddedFiles": "6.8", "/OCProperties": "6.9", "/AlternatePresentations": "6.10", "/PresSteps": "6.10", "/Requirements": "6.11",
}

// syntax checks the bytes of a file (6.1), and what must not be in it.
func (c *check) syntax(file []byte) {
	if start := header.Find(file); start == nil || len(file) < len(start)+4 || slices.Min(file[len(start):len(start)+4]) < 128 {
		c.fault("6.1.2", "the header is no version and four bytes above 127")
	}
	if !ending.Match(file) {
		c.fault("6.1.3", "something follows the end")
	}
	if c.reader.Trailer().Key("ID").Len() != 2 {
		c.fault("6.1.3", "the file has no identifiers")
	}
	if !table.Match(file) {
		c.fault("6.1.4", "the cross-reference table has other spaces and ends of lines")
	}
	plain := c.withoutStreams(file)
	if len(begins.FindAll(plain, -1)) != len(anyBegin.FindAll(plain, -1)) || bytes.Count(plain, []byte("endobj\n")) != len(begins.FindAll(plain, -1)) {
		c.fault("6.1.9", "an object begins or ends with other spaces")
	}
	plain = c.strings(plain)
	for _, name := range nameToken.FindAll(plain, -1) {
		if clause, ok := forbidden[string(name)]; ok {
			c.fault(clause, "the file has %s", name)
		}
		if len(name) > maxName+1 {
			c.fault("6.1.13", "a name has %d bytes", len(name)-1)
		}
	}
	for _, n := range numberToken.FindAll(plain, -1) {
		if x, err := strconv.ParseFloat(string(n[1:]), 64); err != nil || x > 1<<31-1 || x < -1<<31 {
			c.fault("6.1.13", "the number %s", n[1:])
		}
	}
}

// withoutStreams gives a file without the bytes of its streams, whose lengths it checks.
func (c *check) withoutStreams(file []byte) []byte {
	var out []byte
	for {
		at := bytes.Index(file, []byte("stream\n"))
		if at < 0 {
			return append(out, file...)
		}
		out = append(out, file[:at]...)
		before := out[bytes.LastIndex(out, []byte(" obj"))+1:]
		file = file[at+len("stream\n"):]
		said := length.FindSubmatch(before)
		n := len(file) + 1
		if said != nil {
			n, _ = strconv.Atoi(string(said[1]))
		}
		if n > len(file) || !bytes.HasPrefix(file[n:], []byte("\nendstream")) {
			c.fault("6.1.7.1", "the length of a stream is not that of its bytes")
			n = max(bytes.Index(file, []byte("\nendstream")), 0)
		}
		file = bytes.TrimPrefix(file[n:], []byte("\nendstream"))
	}
}

// strings checks the strings of a syntax, and gives it without them.
func (c *check) strings(syntax []byte) []byte {
	var out []byte
	for i := 0; i < len(syntax); i++ {
		if syntax[i] != '(' {
			out = append(out, syntax[i])
			continue
		}
		start, depth := i, 0
		for ; i < len(syntax); i++ {
			if syntax[i] == '\\' {
				i++
			} else if syntax[i] == '(' {
				depth++
			} else if syntax[i] == ')' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if i-start-1 > maxString {
			c.fault("6.1.13", "a string has %d bytes", i-start-1)
		}
	}
	inner := bytes.ReplaceAll(bytes.ReplaceAll(out, []byte("<<"), nil), []byte(">>"), nil)
	for _, one := range hexString.FindAllSubmatch(inner, -1) {
		if digits := bytes.Join(bytes.Fields(one[1]), nil); !hexDigits.Match(digits) {
			c.fault("6.1.6", "the string <%.20s> is not pairs of hexadecimal digits", one[1])
		} else if len(digits) > 2*maxString {
			c.fault("6.1.13", "a string has %d bytes", len(digits)/2)
		}
	}
	return out
}
