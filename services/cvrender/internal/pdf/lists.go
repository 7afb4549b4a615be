package pdf

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// setListBodies puts what an item of a list holds beside its label into a body, as ISO
// 32000-1, table 336, wants it (ISO 14289-1, 7.6). Chromium leaves the body out.
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

// kidsOf gives the values in K of a structure element.
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

// moveParents replaces elements in the arrays of the parent tree, which give the element of
// each marked content (ISO 32000-1, 14.7.4.4).
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

// describeLinks gives links the description that ISO 14289-1, 7.18.5, wants: their address.
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
