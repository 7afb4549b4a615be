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

// Refiner makes files that Skia has written ones that every program can read.
type Refiner struct{ shapes map[string]*outlines }

// NewRefiner makes a Refiner. fonts are the files of the fonts that the documents are set
// in.
func NewRefiner(fonts fs.FS) (*Refiner, error) {
	shapes, err := readOutlines(fonts)
	if err != nil {
		return nil, err
	}
	return &Refiner{shapes: shapes}, nil
}

// Refine gives the file with texts that are letters in the order in which they are read,
// with structure and properties as PDF/UA-1 (ISO 14289-1) wants them, and without dates: the same
// content is the same bytes. An error says that Skia writes other files than this package knows.
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
	// What tagged files and their links have, such as the order of tabs, is of PDF 1.5 and 1.7, on
	// which PDF/UA-1 is built (ISO 14289-1, 2). Skia writes 1.4.
	f.header = bytes.Replace(f.header, []byte("%PDF-1.4"), []byte("%PDF-1.7"), 1)
	return f.write(), nil
}

// refineText writes the texts of the pages anew. complete says that every glyph has a text and is that
// of a character.
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
	// What belongs to no element, such as the foot of a page, is read as the document is.
	outside := reading{place: -1, rtl: readsLeftwards(f.objects[f.root].value, false)}
	// The further codes of a font begin after its last glyph on all pages.
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

// content gives the number of the content of a page.
func (f *file) content(page int) int { return reference(f.objects[page].value, "Contents") }

// pages gives the numbers of the pages.
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

// fontsOf gives the fonts of a page by their names. known are the fonts that were read.
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

// identifier names the bytes of a file.
func identifier(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}
