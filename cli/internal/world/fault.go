package world

import "strings"

// Fault is something in the file that must be corrected.
type Fault struct {
	// Path of the field, for example "people[2].profile.skills[0]"; "$" is the
	// whole file.
	Path string `json:"path"`
	// Message says what is wrong. It does not repeat the path.
	Message string `json:"message"`
}

// Faults lists the faults of a file in the order in which they were found.
type Faults struct {
	list []Fault
}

// Add records a fault.
func (f *Faults) Add(path, message string) {
	f.list = append(f.list, Fault{Path: path, Message: message})
}

// List gives every fault.
func (f *Faults) List() []Fault { return f.list }

// Known reports whether the field at path, or a field inside it, has a fault already.
// The services do not get the value of such a field, so their faults for it say
// nothing new.
func (f *Faults) Known(path string) bool {
	for _, known := range f.list {
		rest, ok := strings.CutPrefix(known.Path, path)
		if ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}
