package plot_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"vitae.internal/gateway/internal/console/plot"
)

func days(n int) []plot.Column {
	at := make([]plot.Column, n)
	for i := range at {
		at[i] = plot.Column{Text: fmt.Sprint("day ", i), Link: fmt.Sprint("/requests?day=", i)}
	}
	return at
}

func draw(t *testing.T, c plot.Columns) plot.Drawing {
	t.Helper()
	c.ID, c.Name, c.Description = "requests", "Requests per day", "Two apps."
	d, err := c.Draw()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestLayersAreStackedInProportion(t *testing.T) {
	d := draw(t, plot.Columns{At: days(2), Series: []plot.Series{{Name: "web", Counts: []int64{30, 0}}, {Name: "ats", Counts: []int64{10, 5}}}})
	if len(d.Bars) != 3 {
		t.Fatalf("%d bars, want one for each count above zero", len(d.Bars))
	}
	web, ats, second := d.Bars[0], d.Bars[1], d.Bars[2]
	if web.Y+web.Height != d.AxisY || math.Abs(ats.Y+ats.Height-web.Y) > 0.02 || ats.X != web.X || second.X <= web.X {
		t.Errorf("the layers are not stacked: %+v", d.Bars)
	}
	if math.Abs(web.Height-3*ats.Height) > 0.05 || math.Abs(ats.Height-2*second.Height) > 0.05 {
		t.Errorf("the heights are not in proportion: %+v", d.Bars)
	}
	if web.Shade != 0 || ats.Shade != 1 || second.Shade != 1 || d.Legend[1].Shade != 1 || d.Legend[1].Name != "ats" {
		t.Errorf("the shades are %+v, the legend is %+v", d.Bars, d.Legend)
	}
	if got := d.Values[0]; got.Link != "/requests?day=0" || got.Sentence() != "day 0: 40. web: 30. ats: 10." {
		t.Errorf("the first column shows %+v", got)
	}
}

func TestChartStaysInsideImage(t *testing.T) {
	for _, n := range []int{1, 7, 30, 60, 90} {
		counts := make([]int64, n)
		for i := range counts {
			counts[i] = int64(i * 7919)
		}
		d := draw(t, plot.Columns{At: days(n), Series: []plot.Series{{Name: "web", Counts: counts}}, Limit: &plot.Limit{Name: "Quota", Count: 20_000}})
		for _, b := range d.Bars {
			if b.X < 0 || b.X+b.Width > 100 || b.Y < 0 || b.Height <= 0 || b.Width < 0.5 {
				t.Fatalf("%d columns: a bar is outside the image: %+v", n, b)
			}
		}
		if len(d.Values) != n {
			t.Errorf("%d columns show %d values", n, len(d.Values))
		}
	}
}

func TestTicksAreRoundNumbers(t *testing.T) {
	for highest, want := range map[int64][]string{
		0: {"0", "1"}, 1: {"0", "1"}, 4: {"0", "1", "2", "3", "4"}, 7: {"0", "2", "4", "6", "8"}, 100: {"0", "20", "40", "60", "80", "100"},
		1_234: {"0", "500", "1k", "1.5k"}, 199_999: {"0", "50k", "100k", "150k", "200k"}, 6_000_000: {"0", "2M", "4M", "6M"},
	} {
		d := draw(t, plot.Columns{At: days(1), Series: []plot.Series{{Name: "web", Counts: []int64{highest}}}})
		var got []string
		for _, level := range d.Levels {
			got = append(got, level.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("ticks up to %d are %v, want %v", highest, got, want)
		}
	}
}

func TestDistantLimitIsShownAsText(t *testing.T) {
	columns := plot.Columns{At: days(1), Series: []plot.Series{{Name: "web", Counts: []int64{6_000}}}}
	columns.Limit = &plot.Limit{Name: "Quota", Count: 20_000}
	d := draw(t, columns)
	if d.Limit == nil || d.Beyond != "" || d.Limit.Text != "Quota: 20,000" || d.Limit.Y >= d.Bars[0].Y || d.Limit.Y < 0 {
		t.Errorf("the line is %+v above %+v", d.Limit, d.Bars)
	}
	columns.Limit = &plot.Limit{Name: "Quota", Count: 200_000}
	if d := draw(t, columns); d.Limit != nil || d.Beyond != "Quota: 200,000" || d.Bars[0].Height < 100 {
		t.Errorf("a distant limit flattens the columns: %+v, %+v", d.Limit, d.Bars)
	}
}

func TestSmallCountsAreVisible(t *testing.T) {
	d := draw(t, plot.Columns{At: days(1), Series: []plot.Series{{Name: "good", Counts: []int64{1_000_000}}, {Name: "failed", Counts: []int64{1}}, {Name: "none", Counts: []int64{0}}}})
	if len(d.Bars) != 2 || d.Bars[1].Height < 1 || d.Bars[1].Divided || !d.Bars[0].Divided {
		t.Errorf("the bars are %+v", d.Bars)
	}
}

func TestPhonesShowAtMostFiveLabels(t *testing.T) {
	for ticks, want := range map[int]int{1: 1, 5: 5, 6: 3, 13: 5} {
		at := days(ticks)
		for i := range at {
			at[i].Tick = fmt.Sprint(i)
		}
		d := draw(t, plot.Columns{At: at, Series: []plot.Series{{Name: "web", Counts: make([]int64, ticks)}}})
		shown := 0
		for _, m := range d.Marks {
			if !m.Minor {
				shown++
			}
		}
		if len(d.Marks) != ticks || shown != want || d.Marks[0].Minor {
			t.Errorf("%d labels: %d of %d are shown on a phone", ticks, shown, len(d.Marks))
		}
	}
}

func TestLayersDifferByTexture(t *testing.T) {
	var series []plot.Series
	for i := range plot.MaxSeries {
		series = append(series, plot.Series{Name: fmt.Sprint("key ", i), Counts: []int64{1}})
	}
	textures := map[string]bool{}
	for _, e := range draw(t, plot.Columns{At: days(1), Series: series}).Legend[:plot.MaxSeries-1] {
		textures[e.Texture] = true
	}
	if len(textures) != plot.MaxSeries-1 {
		t.Errorf("%d textures for %d layers", len(textures), plot.MaxSeries-1)
	}
}

func TestInvalidChartIsRejected(t *testing.T) {
	good := plot.Columns{ID: "a-1", Name: "n", Description: "d", At: days(2), Series: []plot.Series{{Name: "web", Counts: []int64{1, 2}}}}
	if _, err := good.Draw(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*plot.Columns){
		"an invalid id":    func(c *plot.Columns) { c.ID = `a" onload="` },
		"no name":          func(c *plot.Columns) { c.Name = "" },
		"no description":   func(c *plot.Columns) { c.Description = "" },
		"no columns":       func(c *plot.Columns) { c.At = nil },
		"too few counts":   func(c *plot.Columns) { c.Series = []plot.Series{{Name: "web", Counts: []int64{1}}} },
		"a negative count": func(c *plot.Columns) { c.Series = []plot.Series{{Name: "web", Counts: []int64{1, -1}}} },
		"too many series": func(c *plot.Columns) {
			c.Series = slices.Repeat(c.Series, plot.MaxSeries+1)
		},
	} {
		broken := good
		change(&broken)
		if _, err := broken.Draw(); err == nil {
			t.Errorf("%s: Draw returned no error", name)
		}
	}
}

func TestTopSumsTheSmallestSeries(t *testing.T) {
	var series []plot.Series
	for i := range 10 {
		series = append(series, plot.Series{Name: fmt.Sprint("key ", i), Counts: []int64{int64(i), 1}})
	}
	top := plot.Top(series, "others")
	if len(top) != plot.MaxSeries || top[0].Name != "key 9" || top[6].Name != "key 3" {
		t.Fatalf("the top series are %+v", top)
	}
	if rest := top[7]; rest.Name != "others" || !slices.Equal(rest.Counts, []int64{0 + 1 + 2, 3}) {
		t.Errorf("the sum of the others is %+v", rest)
	}
	if few := plot.Top(series[:2], "others"); len(few) != 2 || few[0].Name != "key 1" || series[0].Name != "key 0" {
		t.Errorf("a few series become %+v", few)
	}
}

func TestCountsAreFormattedReadably(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -123: "-123"} {
		if got := plot.Grouped(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
	for n, want := range map[int64]string{999: "999", 1000: "1k", 1250: "1.3k", 20_000: "20k", 3_000_000: "3M", 2_500_000_000: "2.5G"} {
		if got := plot.Short(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
}
