package pages

import "sync"

// mostImports is how many files are read at the same time. It bounds the memory of what is made
// of them.
const mostImports = 4

// imports bounds how many files are read at once: one of a person, and mostImports in the
// process (behaviour: profiles#import).
type imports struct {
	mu sync.Mutex
	// of has the people whose files are being read.
	of map[string]bool
}

func newImports() *imports { return &imports{of: map[string]bool{}} }

// begin gives a person a turn, which lasts until end is called. If there is none, end is nil
// and the key of the message says why.
func (i *imports) begin(personID string) (end func(), refused string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.of[personID]:
		return nil, "cvimport.fault.own"
	case len(i.of) == mostImports:
		return nil, "cvimport.fault.busy"
	}
	i.of[personID] = true
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		delete(i.of, personID)
	}, ""
}
