package profile

import (
	"sync"
)

// mostImports is how many files are read at the same time. It bounds the memory of the CVs that are
// read from them.
const mostImports = 4

// turns bounds how many files of people are read at once: one file per person, until the person has the
// answer, and mostImports imports per process (behaviour: profiles#import, photos#image-format).
type turns struct {
	mu sync.Mutex
	// of contains the people whose files are being read, or whose answers are being sent.
	of map[string]bool
	// reading contains an item for each import that is being read.
	reading chan struct{}
}

func newTurns() *turns {
	return &turns{of: map[string]bool{}, reading: make(chan struct{}, mostImports)}
}

// begin starts a person's turn, which lasts until end is called. It returns false if the person has one.
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

// take reserves a place for an import until release is called. It returns false if all are taken. The
// place is released before the answer is written, so a browser that is slow to receive its answer
// does not block other people's imports. chain.Memory bounds the memory of unsent answers.
func (t *turns) take() (release func(), ok bool) {
	select {
	case t.reading <- struct{}{}:
		return func() { <-t.reading }, true
	default:
		return nil, false
	}
}
