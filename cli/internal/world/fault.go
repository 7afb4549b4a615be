package world

import "strings"

// Fault is an error in a file.
type Fault struct {
	// Path is the path of the field, for example "people[2].profile.skills[0]", or "$" for the whole file.
	Path string `json:"path"`
	// Message describes the error without repeating the path.
	Message string `json:"message"`
}

// Faults collects errors in the order in which they are found.
type Faults struct {
	list []Fault
}

func (f *Faults) Add(path, message string) {
	f.list = append(f.list, Fault{Path: path, Message: message})
}

// List returns all errors.
func (f *Faults) List() []Fault { return f.list }

// Known reports whether the field at path, or a field inside it, already has an error. The services do not
// receive the value of such a field, so their errors about it are meaningless.
func (f *Faults) Known(path string) bool {
	for _, known := range f.list {
		rest, ok := strings.CutPrefix(known.Path, path)
		if ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}
