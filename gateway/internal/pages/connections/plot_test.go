package connections

import (
	"testing"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestPlotHasEveryDayOfAYear(t *testing.T) {
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
		t.Error("an invalid day is accepted")
	}
}
