package pdf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// Refiner makes files written by Skia readable for all PDF readers.
type Refiner struct{ shapes map[string]*outlines }

// NewRefiner returns a Refiner. fonts contains the font files that the documents use.
func NewRefiner(fonts fs.FS) (*Refiner, error) {
	shapes, err := readOutlines(fonts)
	if err != nil {
		return nil, err
	}
	return &Refiner{shapes: shapes}, nil
}

// Refine returns the file with real letters in reading order, and with the structure and properties
// that PDF/UA-1 (ISO 14289-1) requires. It removes dates, so the same content always has the same
// bytes. It fails if Skia's output differs from what this package supports.
func (r *Refiner) Refine(b []byte, m Metadata) ([]byte, error) {
	f, err := read(b)
	if err != nil {
		return nil, err
	}
	complete, err := f.refineText(r.shapes)
	if err != nil {
		return nil, err
	}
	f.setListBodies()
	f.describeLinks()
	f.setMetadata(m, complete)
	// Skia writes PDF 1.4, but the file contains features of tagged files and links, such as the
	// tab order, that were introduced in PDF 1.5 and 1.7. PDF/UA-1 is based on PDF 1.7 (ISO
	// 14289-1, 2).
	f.header = bytes.Replace(f.header, []byte("%PDF-1.4"), []byte("%PDF-1.7"), 1)
	return f.write(), nil
}

// refineText rewrites the text of the pages. complete reports whether every glyph has a text and a
// character.
func (f *file) refineText(shapes map[string]*outlines) (complete bool, err error) {
	order, err := f.order()
	if err != nil {
		return false, err
	}
	fonts := map[int]*font{}
	marks := map[int][]*mark{}
	pages := f.pages()
	for _, page := range pages {
		data, err := f.objects[f.content(page)].data()
		if err != nil {
			return false, err
		}
		named, err := f.fontsOf(page, fonts, shapes)
		if err != nil {
			return false, err
		}
		if marks[page], err = readContent(data, named); err != nil {
			return false, err
		}
	}
	// Artifacts, such as page footers, are read in the direction of the document.
	outside := reading{place: -1, rtl: readsLeftwards(f.objects[f.root].value, false)}
	// The additional codes of a font start after its last glyph on any page, so all pages must be
	// read before the first is written.
	for _, page := range pages {
		written := writeMarks(marks[page], func(m *mark) reading {
			if m.tag == "" {
				return outside
			}
			return order[content{page, m.id}]
		})
		if err := f.objects[f.content(page)].setStream(written, ""); err != nil {
			return false, err
		}
	}
	complete = true
	for _, number := range slices.Sorted(maps.Keys(fonts)) {
		complete = complete && !fonts[number].lacks
		if err := fonts[number].finish(f); err != nil {
			return false, err
		}
	}
	return complete, nil
}

// content returns the object number of a page's content.
func (f *file) content(page int) int { return reference(f.objects[page].value, "Contents") }

// pages returns the object numbers of the pages.
func (f *file) pages() []int {
	var out []int
	for n, o := range f.objects {
		if string(entry(o.value, "Type")) == "/Page" {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// fontsOf returns the fonts of a page by name. known caches the fonts that have already been read.
func (f *file) fontsOf(page int, known map[int]*font, shapes map[string]*outlines) (map[string]*font, error) {
	out := map[string]*font{}
	list := entry(entry(f.objects[page].value, "Resources"), "Font")
	if list == nil {
		return out, nil
	}
	s := scanner{rest: list[2 : len(list)-2]}
	for {
		key, k := s.token()
		if k != name {
			return out, nil
		}
		number := whole(firstField(s.value()))
		one, ok := known[number]
		if !ok {
			var err error
			if one, err = f.font(number, shapes); err != nil {
				return nil, fmt.Errorf("font %s: %w", key, err)
			}
			known[number] = one
		}
		out[string(key[1:])] = one
	}
}

// identifier returns a hash of a file.
func identifier(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}
