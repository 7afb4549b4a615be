package pages

import "sync"

// mostImports is how many files are read at the same time. It bounds the memory of what is made
// of them.
const mostImports = 4

// turns bounds how many files of people are read at once: one of a person, until the person has the
// answer, and mostImports imports in the process (behaviour: profiles#import, photos#what-the-picture-is).
type turns struct {
	mu sync.Mutex
	// of has the people whose files are being read, or whose answers are being sent.
	of map[string]bool
	// reading has an item for each import that is being read.
	reading chan struct{}
}

func newTurns() *turns {
	return &turns{of: map[string]bool{}, reading: make(chan struct{}, mostImports)}
}

// begin gives a person a turn, which lasts until end is called; false if the person has one.
func (t *turns) begin(personID string) (end func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[personID] {
		return nil, false
	}
	t.of[personID] = true
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.of, personID)
	}, true
}

// take gives an import a place, until release is called; false if all are taken. A place ends before
// the answer is written: what an answer holds until the person takes it is bounded elsewhere
// (chain.Memory), and a browser that does not take it keeps nobody waiting.
func (t *turns) take() (release func(), ok bool) {
	select {
	case t.reading <- struct{}{}:
		return func() { <-t.reading }, true
	default:
		return nil, false
	}
}
