package pages

import (
	"testing"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// behaviour: profiles#import
func TestFilesThatAreReadAtOnceAreBounded(t *testing.T) {
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
	for range mostImports {
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

func TestAPlotOfAYearHasEveryDayInItsWeek(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 9, 10, 0, 0, 0, time.UTC)
	for daysAgo := range 366 {
		day := &authv1.ReadDay{Day: now.AddDate(0, 0, -daysAgo).Format(time.DateOnly), Kind: authv1.ReadKind_READ_KIND_CV, Reads: 1}
		view, err := viewReads([]*authv1.ReadDay{day}, now)
		if err != nil || len(view.Plot.Bars) != 1 || view.Plot.Bars[0].Opened || view.Own != 1 {
			t.Fatalf("%d days ago: %+v, %v", daysAgo, view, err)
		}
	}
	if _, err := viewReads([]*authv1.ReadDay{{Day: "yesterday"}}, now); err == nil {
		t.Error("a day that is none is drawn")
	}
}
