package pdf

import "fmt"

// content of a page that belongs to a structure element.
type content struct{ page, id int }

// maxElements bounds the structure elements that are read. A CV of ten pages has some two
// thousand.
const maxElements = 1 << 17

// order gives the place of every marked content in the order in which the document is read:
// that of its structure tree (ISO 32000-1, 14.7).
func (f *file) order() (map[content]int, error) {
	out := map[content]int{}
	root := f.objects[reference(f.objects[f.root].value, "StructTreeRoot")]
	if root == nil {
		return out, nil
	}
	w := walker{file: f, out: out}
	return out, w.kids(entry(root.value, "K"), 0)
}

type walker struct {
	file *file
	out  map[content]int
	seen int
}

// kids reads the value of K (ISO 32000-1, table 323): a marked content, by its number or by
// a dictionary; an element; or an array of these. page is where the contents are.
func (w *walker) kids(value []byte, page int) error {
	if w.seen++; w.seen > maxElements {
		return fmt.Errorf("%w: more than %d structure elements", errObject, maxElements)
	}
	if len(value) > 1 && value[0] == '[' {
		s := scanner{rest: value[1 : len(value)-1]}
		for one := s.value(); one != nil; one = s.value() {
			if err := w.kids(one, page); err != nil {
				return err
			}
		}
		return nil
	}
	if n := referred(value); n != 0 {
		element := w.file.objects[n]
		if element == nil {
			return fmt.Errorf("%w: structure element %d", errObject, n)
		}
		if own := reference(element.value, "Pg"); own != 0 {
			page = own
		}
		return w.kids(entry(element.value, "K"), page)
	}
	if own := reference(value, "Pg"); own != 0 {
		page = own
	}
	if id, ok := integer(value, "MCID"); ok {
		w.out[content{page, id}] = len(w.out)
	} else if len(value) > 0 && value[0] != '<' {
		w.out[content{page, whole(value)}] = len(w.out)
	}
	return nil
}
