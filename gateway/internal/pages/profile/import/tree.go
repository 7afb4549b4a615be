package cvimport

import (
	"slices"
	"strconv"
	"strings"
)

// node is a part of a file: an object or element with child nodes, or a string.
type node struct {
	// name is the key, or the local name of the element.
	name string
	// parent is the enclosing node, or nil for the root.
	parent *node
	// index is the position in a list, counting from 0 in JSON and from 1 in XML, or -1 if the node is not
	// in a list.
	index int
	// bare reports whether the children are items of a list within a list. They have no name in their paths.
	bare bool
	// length is the length of the node's path in bytes.
	length int
	// text is the trimmed content.
	text  string
	parts []*node
	// raw collects the text while the file is being read. named counts the children by name.
	raw   []byte
	named map[string]int
	// taken reports whether the text has been taken into the CV, or is of no use to people.
	taken bool
}

// add adds a child to n. It reports whether the child's path is short enough.
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

// path returns the path of the node, for people who look it up in the file. The path is not stored, because
// there are many nodes and only a few paths are shown.
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

// all returns the children with the given name.
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

// find returns the first node at a path of names, or nil if there is none. A nil node has no children.
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

// firstNonEmpty returns the first of names whose child has text, or names[0] if none has.
func (n *node) firstNonEmpty(names ...string) string {
	for _, name := range names {
		if n.find(name).asIs() != "" {
			return name
		}
	}
	return names[0]
}

// take returns the text at a path and marks it as taken. It returns "" if there is none.
func (n *node) take(names ...string) string {
	found := n.find(names...)
	if found == nil || found.taken {
		return ""
	}
	found.taken = true
	return found.text
}

// takeAll takes the text of every child with the given name.
func (n *node) takeAll(name string) (texts []string) {
	for _, part := range n.all(name) {
		if text := part.take(); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// drop marks a node and everything in it as taken, because it says nothing about the person. An example is
// the version of the format.
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

// list adds a node to the list of what could not be imported, under the given name and with the text that
// was taken from its children.
func (n *node) list(name, text string) {
	if n == nil || text == "" {
		return
	}
	n.name, n.text, n.taken = name, text, false
}

// left lists the strings that were not taken, up to the limits, and counts the others.
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

// joined joins the non-empty strings with a separator.
func joined(separator string, texts ...string) string {
	var some []string
	for _, text := range texts {
		if text != "" {
			some = append(some, text)
		}
	}
	return strings.Join(some, separator)
}

// indexed returns the path of a list item.
func indexed(path string, at int) string { return path + "[" + strconv.Itoa(at) + "]" }
