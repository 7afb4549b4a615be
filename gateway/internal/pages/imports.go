package pages

import "sync"

// mostImports is how many files are read at the same time. It bounds the memory of what is made
// of them.
const mostImports = 4

// imports bounds how many files are read at once: one of a person, until the person has the
// answer, and mostImports in the process (behaviour: profiles#import).
type imports struct {
	mu sync.Mutex
	// of has the people whose files are being read, or whose answers are being sent.
	of map[string]bool
	// reading is how many files are being read.
	reading int
}

func newImports() *imports { return &imports{of: map[string]bool{}} }

// begin gives a person a turn, which lasts until end is called. Others may have its place once
// read is called: what an answer holds until the person takes it is bounded elsewhere
// (chain.Memory), and a browser that does not take it keeps nobody waiting. If there is no turn,
// both are nil and the key of the message says why.
func (i *imports) begin(personID string) (read, end func(), refused string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.of[personID]:
		return nil, nil, "cvimport.fault.own"
	case i.reading == mostImports:
		return nil, nil, "cvimport.fault.busy"
	}
	i.of[personID] = true
	i.reading++
	read = sync.OnceFunc(func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.reading--
	})
	return read, func() {
		read()
		i.mu.Lock()
		defer i.mu.Unlock()
		delete(i.of, personID)
	}, ""
}
