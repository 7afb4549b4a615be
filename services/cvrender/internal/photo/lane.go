package photo

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// lane limits the number of pictures that are decoded concurrently. Each share decodes at most one
// at a time, and the waiting shares take turns. So a share with many large pictures delays the
// others only by the picture that is being decoded (behaviour: pdf#fair-queueing).
type lane struct {
	mu      sync.Mutex
	free    int
	inside  map[string]bool
	waiting map[string][]chan struct{}
	// turns are the waiting shares in the order in which they get a slot.
	turns []string
}

func newLane(places int) *lane {
	return &lane{free: places, inside: map[string]bool{}, waiting: map[string][]chan struct{}{}}
}

// enter waits for a slot, or until ctx is done. If it succeeds, the caller must call leave
// afterwards.
func (l *lane) enter(ctx context.Context, share string) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("photo: waiting to be decoded: %w", err)
	}
	leave = func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.left(share)
	}
	granted := l.join(share)
	select {
	case <-granted:
		return leave, nil
	case <-ctx.Done():
		l.giveUp(share, granted)
		return nil, fmt.Errorf("photo: waiting to be decoded: %w", ctx.Err())
	}
}

// join adds a caller to the queue. The returned channel is closed when the caller gets a slot.
func (l *lane) join(share string) chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	granted := make(chan struct{})
	if len(l.waiting[share]) == 0 {
		l.turns = append(l.turns, share)
	}
	l.waiting[share] = append(l.waiting[share], granted)
	l.admit()
	return granted
}

// giveUp removes a caller from the queue. If the caller has got a slot in the meantime, giveUp
// releases the slot.
func (l *lane) giveUp(share string, granted chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at := slices.Index(l.waiting[share], granted); at >= 0 {
		l.drop(share, at)
		return
	}
	l.left(share)
}

// left releases the slot of a share. If more callers of the share are waiting, the share moves to
// the end of the queue.
func (l *lane) left(share string) {
	delete(l.inside, share)
	l.free++
	if turn := slices.Index(l.turns, share); turn >= 0 {
		l.turns = append(slices.Delete(l.turns, turn, turn+1), share)
	}
	l.admit()
}

// admit assigns free slots to the next shares in the queue that do not have one.
func (l *lane) admit() {
	for l.free > 0 {
		turn := slices.IndexFunc(l.turns, func(share string) bool { return !l.inside[share] })
		if turn < 0 {
			return
		}
		share := l.turns[turn]
		granted := l.waiting[share][0]
		l.drop(share, 0)
		l.inside[share] = true
		l.free--
		close(granted)
	}
}

// drop removes a caller from its share. If the share has no other callers, drop also removes the
// share.
func (l *lane) drop(share string, at int) {
	if l.waiting[share] = slices.Delete(l.waiting[share], at, at+1); len(l.waiting[share]) > 0 {
		return
	}
	delete(l.waiting, share)
	turn := slices.Index(l.turns, share)
	l.turns = slices.Delete(l.turns, turn, turn+1)
}
