package pdf

import (
	"fmt"

	"vitae.internal/services/cvrender/internal/cv"
)

// content of a page that belongs to a structure element.
type content struct{ page, id int }

// maxElements bounds the structure elements that are read. A CV of ten pages has some two
// thousand.
const maxElements = 1 << 17

// reading is how a marked content is read.
type reading struct {
	// place is its place in the order in which the document is read.
	place int
	// rtl is whether the language of its element is read from right to left.
	rtl bool
}

// order returns how every marked content is read: in the order of the structure tree (ISO
// 32000-1, 14.7), in the language of the nearest element that has one (14.9.2).
func (f *file) order() (map[content]reading, error) {
	out := map[content]reading{}
	root := f.objects[reference(f.objects[f.root].value, "StructTreeRoot")]
	if root == nil {
		return out, nil
	}
	w := walker{file: f, out: out}
	return out, w.kids(entry(root.value, "K"), element{rtl: readsLeftwards(f.objects[f.root].value, false)})
}

type walker struct {
	file *file
	out  map[content]reading
	seen int
}

// kids reads the value of K (ISO 32000-1, table 323): a marked content, by its number or by
// a dictionary; an element; or an array of these. in is the element that they are in.
func (w *walker) kids(value []byte, in element) error {
	if w.seen++; w.seen > maxElements {
		return fmt.Errorf("%w: more than %d structure elements", errObject, maxElements)
	}
	if len(value) > 1 && value[0] == '[' {
		s := scanner{rest: value[1 : len(value)-1]}
		for one := s.value(); one != nil; one = s.value() {
			if err := w.kids(one, in); err != nil {
				return err
			}
		}
		return nil
	}
	if n := referred(value); n != 0 {
		o := w.file.objects[n]
		if o == nil {
			return fmt.Errorf("%w: structure element %d", errObject, n)
		}
		if own := reference(o.value, "Pg"); own != 0 {
			in.page = own
		}
		in.rtl = readsLeftwards(o.value, in.rtl)
		return w.kids(entry(o.value, "K"), in)
	}
	if own := reference(value, "Pg"); own != 0 {
		in.page = own
	}
	if id, ok := integer(value, "MCID"); ok {
		w.out[content{in.page, id}] = reading{len(w.out), in.rtl}
	} else if len(value) > 0 && value[0] != '<' {
		w.out[content{in.page, whole(value)}] = reading{len(w.out), in.rtl}
	}
	return nil
}

// element is what an element of the structure says of its contents: the page that they are on, and
// whether their language is read from right to left.
type element struct {
	page int
	rtl  bool
}

// readsLeftwards reports whether the language of an element or a document is read from right to
// left; outer says so of what it is in.
func readsLeftwards(value []byte, outer bool) bool {
	language := entry(value, "Lang")
	if language == nil {
		return outer
	}
	return textOf(language) == string(cv.Arabic)
}
