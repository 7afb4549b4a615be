package profile

import (
	"sync"
)

// maxImports is the maximum number of files that are imported concurrently. It limits the memory used by the
// CVs that are read from them.
const maxImports = 4

// turns limits the number of uploaded files that are processed concurrently: one file per person, until the
// person has received the response, and maxImports imports per process
// (behaviour: profiles#import, photos#image-format).
type turns struct {
	mu sync.Mutex
	// of contains the people whose file is being processed or whose response is being sent.
	of map[string]bool
	// reading contains an item for each running import.
	reading chan struct{}
}

func newTurns() *turns {
	return &turns{of: map[string]bool{}, reading: make(chan struct{}, maxImports)}
}

// begin registers a file of the person until end is called. It returns false if the person already has a file
// in progress.
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

// take reserves a slot for an import until release is called. It returns false if all slots are taken. The
// slot is released before the response is written, so a browser that receives its response slowly does not
// block other people's imports. chain.Memory limits the memory used by unsent responses.
func (t *turns) take() (release func(), ok bool) {
	select {
	case t.reading <- struct{}{}:
		return func() { <-t.reading }, true
	default:
		return nil, false
	}
}
