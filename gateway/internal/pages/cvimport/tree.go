package cvimport

import (
	"strconv"
	"strings"
)

// node is a part of a file: an object or an element with parts of its own, or a text.
type node struct {
	// name is the key or the local name of the element.
	name string
	// path from the root, for a person who looks it up in the file.
	path string
	// text is what stands in it, trimmed.
	text  string
	parts []*node
	// raw is the text while the file is read, and named counts the parts by name.
	raw   []byte
	named map[string]int
	// taken says that the text has found its place, or is of no use to a person.
	taken bool
}

// all gives the parts with a name.
func (n *node) all(name string) (found []*node) {
	if n == nil {
		return nil
	}
	for _, part := range n.parts {
		if part.name == name {
			found = append(found, part)
		}
	}
	return found
}

// find gives the first part at a path of names, nil if there is none. A nil node has no
// parts.
func (n *node) find(names ...string) *node {
	for _, name := range names {
		found := n.all(name)
		if len(found) == 0 {
			return nil
		}
		n = found[0]
	}
	return n
}

// take gives the text at a path and takes it out of what is left; "" if there is none.
func (n *node) take(names ...string) string {
	found := n.find(names...)
	if found == nil || found.taken {
		return ""
	}
	found.taken = true
	return found.text
}

// takeAll is take for every part with the name.
func (n *node) takeAll(name string) (texts []string) {
	for _, part := range n.all(name) {
		if text := part.take(); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// drop takes a part with all that is in it: it says nothing about the person, such as the
// version of the format.
func (n *node) drop(names ...string) {
	found := n
	for _, name := range names {
		found = found.find(name)
	}
	found.dropAll()
}

func (n *node) dropAll() {
	if n == nil {
		return
	}
	n.taken = true
	for _, part := range n.parts {
		part.dropAll()
	}
}

// left lists the texts that were not taken.
func (n *node) left(list []Left) []Left {
	if !n.taken && n.text != "" {
		list = append(list, Left{Path: n.path, Text: n.text})
	}
	for _, part := range n.parts {
		list = part.left(list)
	}
	return list
}

// joined gives the texts that are not empty, with a separator between them.
func joined(separator string, texts ...string) string {
	var some []string
	for _, text := range texts {
		if text != "" {
			some = append(some, text)
		}
	}
	return strings.Join(some, separator)
}

// indexed is the path of an item of a list.
func indexed(path string, at int) string { return path + "[" + strconv.Itoa(at) + "]" }
