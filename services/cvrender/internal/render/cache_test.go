package render

import "testing"

func TestCacheDropsOldestDocument(t *testing.T) {
	c := newCache(100)
	put := func(etag string, size int) { c.put(&Document{ETag: etag, PDF: make([]byte, size)}) }
	has := func(etag string) bool { _, ok := c.get(etag); return ok }
	put("a quarter", 25)
	put("more", 26)
	if !has("a quarter") || has("more") {
		t.Error("the size limit of a document is not a quarter of the cache")
	}
	put("a quarter", 25) // again
	put("b", 25)
	put("c", 25)
	put("d", 25)
	if c.size != 100 || !has("a quarter") || !has("b") {
		t.Errorf("the cache has %d bytes, want 100", c.size)
	}
	put("e", 1)
	if c.size != 76 || has("c") || !has("e") || len(c.index) != c.order.Len() {
		t.Errorf("the cache has %d bytes, want 76 without the least recently used document", c.size)
	}
	c = newCache(0)
	put("x", 1)
	if has("x") {
		t.Error("a cache of size 0 stores documents")
	}
}
