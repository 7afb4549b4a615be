package shell

import (
	"net/http/httptest"
	"testing"
	"time"
)

func TestCSVFilesContainNoFormulas(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	if err := SendCSV(w, "x.csv", [][]string{{"=1", "+1", "-1", "@x", "＝1", "\tx", "1=1", ""}}); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Body.String(), byteOrderMark+"'=1,'+1,'-1,'@x,'＝1,'\tx,1=1,\n"; got != want {
		t.Errorf("the CSV file is %q, want %q", got, want)
	}
}

func TestDurationsHaveMeaningfulDigits(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration][2]string{
		0: {"0.0 ms", "0.0 ms"}, 1_250 * time.Microsecond: {"1.2 ms", "1.2 ms"}, 12_345 * time.Microsecond: {"12 ms", "12 ms"},
		1_234 * time.Millisecond: {"1.23 s", "1.2 s"}, 12_340 * time.Millisecond: {"12.3 s", "12 s"},
	} {
		if got := [2]string{Measured(d), Estimated(d)}; got != want {
			t.Errorf("%v is formatted as %q, want %q", d, got, want)
		}
	}
}

func TestTimespanAcceptsDaysAndTimes(t *testing.T) {
	t.Parallel()
	for written, want := range map[Timespan][2]string{
		{"2026-03-01", "2026-03-01"}:                            {"2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"},
		{"2026-03-01T12:00", "2026-03-01 12:30:15"}:             {"2026-03-01T12:00:00Z", "2026-03-01T12:30:15Z"},
		{"2026-03-01T12:00:00+04:00", "2026-03-01T12:00:00.5Z"}: {"2026-03-01T08:00:00Z", "2026-03-01T12:00:00.5Z"},
	} {
		from, to, faults := written.Read()
		if got := [2]string{from.AsTime().Format(time.RFC3339Nano), to.AsTime().Format(time.RFC3339Nano)}; faults != nil || got != want {
			t.Errorf("%v is %v, %v", written, got, faults)
		}
	}
	if from, to, faults := (Timespan{}).Read(); from != nil || to != nil || faults != nil {
		t.Errorf("an empty timespan is %v to %v, %v", from, to, faults)
	}
	if _, _, faults := (Timespan{"yesterday", "9999-12-31"}).Read(); len(faults) != 2 || faults[0].Field != "from" || faults[1].Field != "to" {
		t.Errorf("errors: %v", faults)
	}
}
