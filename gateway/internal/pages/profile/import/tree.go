package cvimport

import (
	"slices"
	"strconv"
	"strings"
)

// node is a part of a file: an object or an element with parts, or a text.
type node struct {
	// name is the key or the local name of the element.
	name string
	// parent has this part; nil for the root.
	parent *node
	// index counts the parts of a list, from 0 in JSON and from 1 in XML; -1 for none.
	index int
	// bare parts are the items of a list in a list, which have no name in their path.
	bare bool
	// length is the length of the path, in bytes.
	length int
	// text is its content, trimmed.
	text  string
	parts []*node
	// raw is the text while the file is read, and named counts the parts by name.
	raw   []byte
	named map[string]int
	// taken reports whether the text is in the CV, or is of no use to a person.
	taken bool
}

// add adds a part to n, and reports whether its path is short enough.
func (n *node) add(part *node) bool {
	part.parent = n
	part.length = n.length + 1
	if !part.bare {
		part.length += len(part.name)
	}
	if part.index >= 0 {
		part.length += len(indexed("", part.index))
	}
	n.parts = append(n.parts, part)
	return part.length <= maxPath
}

// path is where the part is in the file, for a person who looks it up. It is not kept: there are
// many parts, and few of them are shown.
func (n *node) path(separator string) string {
	path := n.name
	if n.parent != nil {
		path = n.parent.path(separator)
		if !n.bare {
			path = joined(separator, path, n.name)
		}
	}
	if n.index >= 0 {
		path = indexed(path, n.index)
	}
	return path
}

// all returns the parts with a name.
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

// find returns the first part at a path of names, nil if there is none. A nil node has no
// parts.
func (n *node) find(names ...string) *node {
	for _, name := range names {
		if n == nil {
			return nil
		}
		at := slices.IndexFunc(n.parts, func(part *node) bool { return part.name == name })
		if at < 0 {
			return nil
		}
		n = n.parts[at]
	}
	return n
}

// which returns the first of some names whose part has a text, or the first name if none has one.
func (n *node) which(names ...string) string {
	for _, name := range names {
		if n.find(name).asIs() != "" {
			return name
		}
	}
	return names[0]
}

// take returns the text at a path and no longer lists it as left; "" if there is none.
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

// list lists a part under a name, with the text that was taken from its parts.
func (n *node) list(name, text string) {
	if n == nil || text == "" {
		return
	}
	n.name, n.text, n.taken = name, text, false
}

// left lists the texts that were not taken, as many as are shown, and counts the others.
func (n *node) left(cv *CV, separator string) {
	if !n.taken && n.text != "" {
		if text := readable(n.text); len(cv.Left) < maxLeft && cv.leftBytes+len(text) <= maxLeftBytes {
			cv.Left = append(cv.Left, Left{Path: n.path(separator), Text: text})
			cv.leftBytes += len(text)
		} else {
			cv.More++
		}
	}
	for _, part := range n.parts {
		part.left(cv, separator)
	}
}

// joined returns the texts that are not empty, with a separator between them.
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
