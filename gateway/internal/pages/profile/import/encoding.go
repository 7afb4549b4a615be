package cvimport

import (
	"bytes"
	"io"
	"regexp"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// declared matches the encoding named in an XML declaration. The declaration is ASCII in every encoding for
// which this name is used.
var declared = regexp.MustCompile(`^\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']`)

// inUTF8 converts a file to UTF-8. It detects UTF-8 and UTF-16 from the bytes, because some programs declare
// a different encoding from the one that they write. It uses the declared encoding only for other files. It
// returns false if the bytes are not text.
func inUTF8(file []byte) ([]byte, bool) {
	if from := utf16Of(file); from != nil {
		return decoded(file, from)
	}
	if !utf8.Valid(file) {
		m := declared.FindSubmatch(file[:min(len(file), headOfStream)])
		if m == nil {
			return nil, false
		}
		from, err := htmlindex.Get(string(m[1]))
		if err != nil {
			return nil, false
		}
		return decoded(file, from)
	}
	return bytes.TrimPrefix(file, []byte("\ufeff")), bytes.IndexByte(file, 0) < 0
}

// utf16Of returns the encoding of a UTF-16 file, which begins with a byte order mark or has NUL in every
// other byte of its first characters. It returns nil for any other encoding.
func utf16Of(file []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(file, []byte{0xff, 0xfe}), len(file) > 3 && file[0] != 0 && file[1] == 0 && file[2] != 0 && file[3] == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(file, []byte{0xfe, 0xff}), len(file) > 3 && file[0] == 0 && file[1] != 0 && file[2] == 0 && file[3] != 0:
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	return nil
}

func decoded(file []byte, from encoding.Encoding) ([]byte, bool) {
	text, err := from.NewDecoder().Bytes(file)
	return text, err == nil && bytes.IndexByte(text, 0) < 0
}

// asItIs returns file unchanged. It is given to the XML decoder because the file is already in UTF-8,
// whatever encoding it declares.
func asItIs(_ string, file io.Reader) (io.Reader, error) { return file, nil }
