package profile

import (
	"testing"
)

// behaviour: profiles#import
func TestConcurrentImportsAreLimited(t *testing.T) {
	t.Parallel()
	turns := newTurns()
	end, ok := turns.begin("usr_1")
	if _, again := turns.begin("usr_1"); !ok || again {
		t.Errorf("first turn of a person: %v, second: %v", ok, again)
	}
	if other, ok := turns.begin("usr_2"); ok {
		other()
	} else {
		t.Error("a second person has to wait")
	}
	end()
	if _, ok := turns.begin("usr_1"); !ok {
		t.Error("the person's turn has not ended")
	}
	var ends []func()
	for range maxImports {
		end, ok := turns.take()
		if !ok {
			t.Fatalf("%d imports run concurrently", len(ends))
		}
		ends = append(ends, end)
	}
	if _, ok := turns.take(); ok {
		t.Error("more than the maximum number of imports run")
	}
	ends[0]()
	if _, ok := turns.take(); !ok {
		t.Error("the place of an ended import is not free")
	}
}
