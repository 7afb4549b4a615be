package render

import "testing"

func TestLeavingFreesOneSlot(t *testing.T) {
	s := newShares(2)
	enter := func(want bool) (leave func()) {
		t.Helper()
		leave, ok := s.enter("p")
		if ok != want {
			t.Fatalf("entered: %t, want %t", ok, want)
		}
		return leave
	}
	first, _ := enter(true), enter(true)
	enter(false)
	first()
	second := enter(true)
	enter(false)
	second()
	if n := s.inside["p"]; n != 1 {
		t.Errorf("%d requests are in progress, want 1", n)
	}
	if _, ok := s.enter("q"); !ok {
		t.Error("a different share is rejected")
	}
}

func TestAbandonedShareIsForgotten(t *testing.T) {
	s := newShares(2)
	first, _ := s.enter("p")
	second, _ := s.enter("p")
	first()
	second()
	if len(s.inside) != 0 {
		t.Errorf("shares remain: %v", s.inside)
	}
}
