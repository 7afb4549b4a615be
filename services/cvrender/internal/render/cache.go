package render

import (
	"container/list"
	"sync"
)

// cache holds finished PDFs by ETag. It evicts the least recently used one first.
type cache struct {
	mu    sync.Mutex
	max   int64
	size  int64
	order *list.List // of *Document, most recently used first
	index map[string]*list.Element
}

func newCache(maxBytes int64) *cache {
	return &cache{max: maxBytes, order: list.New(), index: map[string]*list.Element{}}
}

func (c *cache) get(etag string) (*Document, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.index[etag]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*Document), true
}

// put stores d, unless d is larger than a quarter of the cache.
func (c *cache) put(d *Document) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.index[d.ETag]; ok || int64(len(d.PDF)) > c.max/4 {
		return
	}
	c.index[d.ETag] = c.order.PushFront(d)
	c.size += int64(len(d.PDF))
	for c.size > c.max {
		oldest := c.order.Remove(c.order.Back()).(*Document)
		delete(c.index, oldest.ETag)
		c.size -= int64(len(oldest.PDF))
	}
}
