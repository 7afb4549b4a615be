package cvimport

import (
	"bytes"
	"compress/zlib"
	"context"
	"io"
)

const (
	// maxStreams is the maximum number of streams searched in a PDF. A Europass PDF has a few dozen.
	maxStreams = 2000
	// headOfStream is the number of bytes read from a stream to recognize its format.
	headOfStream = 2 << 10
	// maxEmbedded is the maximum size, in bytes, of a file embedded in a PDF. It is the same as for an
	// uploaded file.
	maxEmbedded = 1 << 20
)

// embedded returns the XML that Europass embeds in its PDFs as a file (ISO 32000-1 7.11.4), or nil if there
// is none. It searches every stream, because a PDF need not contain the names of its files or the types of
// its streams. It returns ctx.Err() if ctx is canceled.
func embedded(ctx context.Context, pdf []byte) ([]byte, error) {
	var inflate io.ReadCloser
	for range maxStreams {
		before, after, found := bytes.Cut(pdf, []byte("stream"))
		for found && bytes.HasSuffix(before, []byte("end")) {
			before, after, found = bytes.Cut(after, []byte("stream"))
		}
		if !found {
			return nil, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pdf = after
		content := bytes.TrimPrefix(bytes.TrimPrefix(pdf, []byte("\r")), []byte("\n"))
		if isEuropass(content[:min(len(content), headOfStream)]) {
			file, _, _ := bytes.Cut(content, []byte("endstream"))
			return file, nil
		}
		var err error
		if inflate == nil {
			inflate, err = zlib.NewReader(bytes.NewReader(content))
		} else {
			err = inflate.(zlib.Resetter).Reset(bytes.NewReader(content), nil) //nolint:forcetypeassert // as documented by package zlib
		}
		if err != nil {
			continue
		}
		head, _ := io.ReadAll(io.LimitReader(inflate, headOfStream)) // a broken stream does not match
		if isEuropass(head) {
			rest, err := io.ReadAll(io.LimitReader(inflate, maxEmbedded+1))
			if err != nil || len(rest) > maxEmbedded {
				return nil, nil //nolint:nilerr // a truncated or oversized file is ignored
			}
			return append(head, rest...), nil
		}
	}
	return nil, nil
}

// isEuropass reports whether head is the beginning of a Europass file.
func isEuropass(head []byte) bool {
	text, ok := inUTF8(head)
	if !ok { // the last character may be truncated
		text = head
	}
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
	return bytes.HasPrefix(text, []byte("<")) && (bytes.Contains(text, []byte("<Candidate")) || bytes.Contains(text, []byte("<SkillsPassport")) ||
		bytes.Contains(text, []byte(":Candidate ")) || bytes.Contains(text, []byte(":SkillsPassport ")))
}
