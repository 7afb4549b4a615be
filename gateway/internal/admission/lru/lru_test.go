package lru_test

import (
	"testing"

	"vitae.internal/gateway/internal/admission/lru"
)

func TestCacheEvictsLeastRecentlyUsed(t *testing.T) {
	c := lru.New[string, int](2)
	c.Put("a", 1)
	c.Put("b", 2)
	c.Get("a")
	c.Put("c", 3)
	if _, ok := c.Get("b"); ok {
		t.Error("b was least recently used, but is still in the cache")
	}
	if got := c.Change("a", func(v int) int { return v + 10 }); got != 11 {
		t.Errorf("a = %d", got)
	}
	if got, ok := c.Get("a"); !ok || got != 11 || c.Len() != 2 {
		t.Errorf("a = %d, %v; %d entries", got, ok, c.Len())
	}
}

func TestDeleteRemovesKey(t *testing.T) {
	c := lru.New[string, int](2)
	c.Put("a", 1)
	c.Put("b", 2)
	c.Delete("a")
	c.Delete("unknown")
	c.Put("c", 3)
	_, gone := c.Get("a")
	_, kept := c.Get("b")
	if gone || !kept || c.Len() != 2 {
		t.Errorf("a is in the cache: %v, b is in the cache: %v, %d entries", gone, kept, c.Len())
	}
}
