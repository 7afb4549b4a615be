package credentials

import (
	"container/list"
	"sync"

	"vitae.internal/pkg/sessionrecord"
)

// routes remembers the account of the credentials used last. It grants nothing.
type routes struct {
	mu     sync.Mutex
	size   int
	order  *list.List // of route, the last used first
	byHash map[sessionrecord.Hash]*list.Element
}

type route struct {
	hash      sessionrecord.Hash
	accountID string
}

func newRoutes(size int) *routes {
	return &routes{size: size, order: list.New(), byHash: map[sessionrecord.Hash]*list.Element{}}
}

func (r *routes) get(h sessionrecord.Hash) (accountID string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.byHash[h]
	if !ok {
		return "", false
	}
	r.order.MoveToFront(e)
	return e.Value.(route).accountID, true
}

func (r *routes) put(h sessionrecord.Hash, accountID string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.byHash[h]; ok {
		e.Value = route{h, accountID}
		r.order.MoveToFront(e)
		return
	}
	r.byHash[h] = r.order.PushFront(route{h, accountID})
	if r.order.Len() > r.size {
		last := r.order.Back()
		r.order.Remove(last)
		delete(r.byHash, last.Value.(route).hash)
	}
}
