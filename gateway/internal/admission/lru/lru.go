// Package lru provides a map of limited size that evicts the least recently used entries. It is safe for
// concurrent use.
//
// Change replaces a value atomically, which hashicorp/golang-lru does not support. Caches that may reject or
// delay entries (ristretto, otter) would lose counts.
package lru

import (
	"container/list"
	"sync"
)

// Cache holds a limited number of entries.
type Cache[K comparable, V any] struct {
	mu    sync.Mutex
	size  int
	order *list.List // elements are *entry, most recently used first
	byKey map[K]*list.Element
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// New returns a Cache that holds up to size entries.
func New[K comparable, V any](size int) *Cache[K, V] {
	return &Cache[K, V]{size: size, order: list.New(), byKey: map[K]*list.Element{}}
}

// Get returns the value of a key and reports whether the key exists.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[key]
	if !ok {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry[K, V]).value, true
}

// Put sets the value of a key.
func (c *Cache[K, V]) Put(key K, value V) { c.Change(key, func(V) V { return value }) }

// Change atomically replaces the value of a key and returns the new value. f receives the
// zero value if the key does not exist.
func (c *Cache[K, V]) Change(key K, f func(V) V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok {
		c.order.MoveToFront(e)
		held := e.Value.(*entry[K, V])
		held.value = f(held.value)
		return held.value
	}
	var none V
	made := &entry[K, V]{key, f(none)}
	c.byKey[key] = c.order.PushFront(made)
	if c.order.Len() > c.size {
		last := c.order.Back()
		c.order.Remove(last)
		delete(c.byKey, last.Value.(*entry[K, V]).key)
	}
	return made.value
}

// Delete removes a key.
func (c *Cache[K, V]) Delete(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok {
		c.order.Remove(e)
		delete(c.byKey, key)
	}
}

// Len returns the number of entries.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.byKey)
}
