package pdf

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// content identifies a marked-content sequence on a page.
type content struct{ page, id int }

// maxElements is the maximum number of structure elements. A CV of ten pages has about two
// thousand.
const maxElements = 1 << 17

// reading is the position and direction in which marked content is read.
type reading struct {
	// place is the position in reading order.
	place int
	// rtl reports whether the language of the element is read from right to left.
	rtl bool
}

// order returns the reading position and direction of all marked content. The position follows from
// the structure tree (ISO 32000-1, 14.7). The direction is that of the nearest enclosing element
// with a language (14.9.2).
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

// kids reads a value of the key K (ISO 32000-1, table 323). It is the number of a marked-content
// sequence, a dictionary with that number, an element, or an array of these. in is the parent
// element.
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

// element holds what a structure element determines for its contents: the page, and whether the
// language is read from right to left.
type element struct {
	page int
	rtl  bool
}

// readsLeftwards reports whether the language of an element or document is read from right to left.
// outer is the direction of the parent.
func readsLeftwards(value []byte, outer bool) bool {
	language := entry(value, "Lang")
	if language == nil {
		return outer
	}
	return textOf(language) == "ar"
}

// setListBodies moves the contents of each list item, except the label, into a list body. ISO
// 32000-1, table 336, requires the body (ISO 14289-1, 7.6), but Chromium omits it.
func (f *file) setListBodies() {
	bodies := map[string]string{}
	for _, number := range slices.Sorted(maps.Keys(f.objects)) {
		item := f.objects[number]
		if string(entry(item.value, "S")) != "/LI" {
			continue
		}
		var labels, others []string
		for _, kid := range kidsOf(item.value) {
			if element := f.objects[referred([]byte(kid))]; element != nil && string(entry(element.value, "S")) == "/Lbl" {
				labels = append(labels, kid)
			} else {
				others = append(others, kid)
			}
		}
		if len(others) == 0 {
			continue
		}
		value := fmt.Sprintf("<</Type /StructElem /S /LBody /P %d 0 R /K [%s]>>", number, strings.Join(others, " "))
		if page := entry(item.value, "Pg"); page != nil {
			value = string(with([]byte(value), "Pg", string(page)))
		}
		body := fmt.Sprintf("%d 0 R", f.add(&object{value: []byte(value)}))
		for _, kid := range others {
			if element := f.objects[referred([]byte(kid))]; element != nil {
				element.value = with(element.value, "P", body)
			}
		}
		item.value = with(item.value, "K", "["+strings.Join(append(labels, body), " ")+"]")
		bodies[fmt.Sprintf("%d 0 R", number)] = body
	}
	f.moveParents(bodies)
}

// kidsOf returns the values for the key K in a structure element.
func kidsOf(element []byte) []string {
	kids := entry(element, "K")
	if len(kids) == 0 || kids[0] != '[' {
		return []string{string(kids)}
	}
	var out []string
	s := scanner{rest: kids[1 : len(kids)-1]}
	for kid := s.value(); kid != nil; kid = s.value() {
		out = append(out, string(kid))
	}
	return out
}

// moveParents replaces elements in the arrays of the parent tree, which maps marked content to
// elements (ISO 32000-1, 14.7.4.4).
func (f *file) moveParents(to map[string]string) {
	root := f.objects[reference(f.objects[f.root].value, "StructTreeRoot")]
	if root == nil {
		return
	}
	tree := f.objects[reference(root.value, "ParentTree")]
	if tree == nil {
		return
	}
	s := scanner{rest: bytes.Trim(entry(tree.value, "Nums"), "[]")}
	for key := s.value(); key != nil; key = s.value() {
		list := f.objects[referred(s.value())]
		if list == nil || len(list.value) == 0 || list.value[0] != '[' {
			continue
		}
		var out []string
		inner := scanner{rest: list.value[1 : len(list.value)-1]}
		for one := inner.value(); one != nil; one = inner.value() {
			if body, ok := to[string(one)]; ok {
				one = []byte(body)
			}
			out = append(out, string(one))
		}
		list.value = []byte("[" + strings.Join(out, " ") + "]")
	}
}

// describeLinks sets the description of each link to the link's URL. ISO 14289-1, 7.18.5, requires
// a description.
func (f *file) describeLinks() {
	for _, o := range f.objects {
		if string(entry(o.value, "Subtype")) != "/Link" || entry(o.value, "Contents") != nil {
			continue
		}
		if address := entry(entry(o.value, "A"), "URI"); address != nil {
			o.value = with(o.value, "Contents", string(address))
		}
	}
}
