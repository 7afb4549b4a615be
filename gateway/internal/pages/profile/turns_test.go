package profile

import (
	"testing"
)

// behaviour: profiles#import
func TestImportsAreBounded(t *testing.T) {
	t.Parallel()
	turns := newTurns()
	end, ok := turns.begin("usr_1")
	if _, again := turns.begin("usr_1"); !ok || again {
		t.Errorf("a person's first %v, the second %v", ok, again)
	}
	if other, ok := turns.begin("usr_2"); ok {
		other()
	} else {
		t.Error("another person waits")
	}
	end()
	if _, ok := turns.begin("usr_1"); !ok {
		t.Error("the turn of a person has not ended")
	}
	var ends []func()
	for range maxImports {
		end, ok := turns.take()
		if !ok {
			t.Fatalf("%d imports are read at once", len(ends))
		}
		ends = append(ends, end)
	}
	if _, ok := turns.take(); ok {
		t.Error("one more than may be read is read")
	}
	ends[0]()
	if _, ok := turns.take(); !ok {
		t.Error("the place of an import has not ended")
	}
}
