package cvimport

import (
	"bytes"
	"compress/zlib"
	"context"
	"io"
)

const (
	// maxStreams bounds the streams of a PDF that are searched. Europass writes some dozens.
	maxStreams = 2000
	// headOfStream is how much of a stream is read to recognize its format, in bytes.
	headOfStream = 2 << 10
	// maxEmbedded bounds a file in a PDF, in bytes: as much as an upload may have.
	maxEmbedded = 1 << 20
)

// embedded finds the XML that Europass puts into its PDFs, as an embedded file (ISO 32000-1
// 7.11.4). It searches every stream, because a PDF need not have the names of its files nor the types of
// its streams. It returns nil if there is none. Errors: that of ctx when it ends first.
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
			err = inflate.(zlib.Resetter).Reset(bytes.NewReader(content), nil) //nolint:forcetypeassert // as package zlib promises
		}
		if err != nil {
			continue
		}
		head, _ := io.ReadAll(io.LimitReader(inflate, headOfStream)) // a broken stream is no match
		if isEuropass(head) {
			rest, err := io.ReadAll(io.LimitReader(inflate, maxEmbedded+1))
			if err != nil || len(rest) > maxEmbedded {
				return nil, nil //nolint:nilerr // a file that is cut off, or larger than an upload, is none
			}
			return append(head, rest...), nil
		}
	}
	return nil, nil
}

// isEuropass reports whether a file that begins so is one of Europass.
func isEuropass(head []byte) bool {
	text, ok := inUTF8(head)
	if !ok { // a sign may be cut off at the end
		text = head
	}
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
	return bytes.HasPrefix(text, []byte("<")) && (bytes.Contains(text, []byte("<Candidate")) || bytes.Contains(text, []byte("<SkillsPassport")) ||
		bytes.Contains(text, []byte(":Candidate ")) || bytes.Contains(text, []byte(":SkillsPassport ")))
}
