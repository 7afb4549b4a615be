package connections

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"time"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// readsView holds the data for the page (behaviour: pages#what-an-app-has-read).
type readsView struct {
	App shell.App
	// Own is the number of reads by the app itself in the past year. Opened is the number of reads by anyone
	// who has a link or the photo's URL.
	Own, Opened int64
	// OwnFrom and OpenedFrom group these reads by country, and From groups all of them. The country with the
	// most reads comes first, and unknown countries come last. They are empty if countries are not shown.
	OwnFrom, OpenedFrom, From []readsFrom
	Plot                      readsPlot
	// Days are the most recent days, and Earlier contains the other days.
	Days, Earlier []readDay
}

// readsFrom is the number of reads from one country, given as an ISO 3166-1 alpha-2 code or as "" if
// unknown.
type readsFrom struct {
	Country string
	Count   int64
}

// readDay is a day on which something was read.
type readDay struct {
	Day   time.Time
	Kinds []readKind
}

// readKind is a kind of data that was read on a day, with the number of reads and the time of the last one.
type readKind struct {
	// Name is a message key.
	Name   string
	Count  int64
	LastAt time.Time
	From   []readsFrom
}

// readsPlot is a chart of the year with one column per week. Horizontal lengths are in percent of the width,
// and vertical ones in units of plotHeight.
type readsPlot struct {
	Height int
	Bars   []readsBar
	// First and Last are the first and last day of the chart. Most is the number of reads in the tallest
	// column.
	First, Last time.Time
	Most        int64
}

// readsBar is one segment of a stacked column in the chart.
type readsBar struct {
	X, Width  string
	Y, Height string
	// Opened reports whether the segment counts reads of links and photos.
	Opened bool
}

const (
	// newestDays is the number of days that are shown unfolded.
	newestDays = 7
	weeks      = 53
	plotHeight = 120
	week       = 7 * 24 * time.Hour
)

var readNames = map[authv1.ReadKind]string{
	authv1.ReadKind_READ_KIND_IDENTITY: "reads.identity", authv1.ReadKind_READ_KIND_CV: "reads.cv", authv1.ReadKind_READ_KIND_PDF: "reads.pdf",
	authv1.ReadKind_READ_KIND_LINK: "reads.link", authv1.ReadKind_READ_KIND_PHOTO: "reads.photo", authv1.ReadKind_READ_KIND_PROFILE: "reads.profile",
}

// needsNoCredential reports whether data of a kind can be read without the app's credentials.
func needsNoCredential(k authv1.ReadKind) bool {
	return k == authv1.ReadKind_READ_KIND_LINK || k == authv1.ReadKind_READ_KIND_PHOTO
}

// reads shows what an app has read, and when.
func (p pages) reads(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	c, err := p.connection(r, who)
	if err != nil {
		return p.changeFailed(w, err)
	}
	resp, err := p.auth.ListReads(r.Context(), &authv1.ListReadsRequest{Actor: who.Actor(), Id: c.GetId()})
	if err != nil {
		return err
	}
	view, err := viewReads(resp.GetReads(), p.clock.Now())
	if err != nil {
		return err
	}
	view.App = shell.AppOf(c.GetApp())
	return p.Show(w, r, who, http.StatusOK, "reads", web.View{Data: view}, "reads.title", "app", c.GetApp().GetName())
}

// viewReads groups reads by day and by week. reads must be sorted with the newest day first.
func viewReads(reads []*authv1.ReadDay, now time.Time) (readsView, error) {
	today := now.UTC().Truncate(24 * time.Hour)
	first := today.Add(24*time.Hour - weeks*week)
	var (
		view            readsView
		ofApp, ofOthers [weeks]int64
	)
	own, others := map[string]int64{}, map[string]int64{}
	for _, r := range reads {
		day, err := time.Parse(time.DateOnly, r.GetDay())
		if err != nil {
			return view, err
		}
		if n := len(view.Days); n == 0 || !view.Days[n-1].Day.Equal(day) {
			view.Days = append(view.Days, readDay{Day: day})
		}
		last, from := &view.Days[len(view.Days)-1], map[string]int64{}
		addFrom(from, r)
		last.Kinds = append(last.Kinds, readKind{readNames[r.GetKind()], r.GetReads(), r.GetLastAt().AsTime(), sortedFrom(from)})
		at := min(max(int(day.Sub(first)/week), 0), weeks-1)
		if needsNoCredential(r.GetKind()) {
			view.Opened += r.GetReads()
			ofOthers[at] += r.GetReads()
			addFrom(others, r)
		} else {
			view.Own += r.GetReads()
			ofApp[at] += r.GetReads()
			addFrom(own, r)
		}
	}
	newest := min(newestDays, len(view.Days))
	view.Days, view.Earlier = view.Days[:newest], view.Days[newest:]
	view.OwnFrom, view.OpenedFrom = sortedFrom(own), sortedFrom(others)
	for country, n := range others {
		own[country] += n
	}
	view.From = sortedFrom(own)
	view.Plot = plotOf(ofApp[:], ofOthers[:])
	view.Plot.First, view.Plot.Last = first, today
	return view, nil
}

// addFrom adds a day's reads by country to sum.
func addFrom(sum map[string]int64, r *authv1.ReadDay) {
	for _, f := range r.GetFrom() {
		sum[f.GetCountry()] += f.GetReads()
	}
}

// sortedFrom returns the countries with the most reads first and unknown ones last.
func sortedFrom(sum map[string]int64) []readsFrom {
	all := make([]readsFrom, 0, len(sum))
	for country, n := range sum {
		all = append(all, readsFrom{country, n})
	}
	slices.SortFunc(all, func(a, b readsFrom) int {
		if unknown := cmp.Compare(len(b.Country), len(a.Country)); unknown != 0 {
			return unknown
		}
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Country, b.Country))
	})
	return all
}

// plotOf returns a chart with stacked columns: the app's own reads below the reads of links and photos.
func plotOf(ofApp, ofOthers []int64) readsPlot {
	p := readsPlot{Height: plotHeight}
	for i := range ofApp {
		p.Most = max(p.Most, ofApp[i]+ofOthers[i])
	}
	if p.Most == 0 {
		return p
	}
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }
	slot := 100 / float64(len(ofApp))
	for i := range ofApp {
		below := 0.0
		for at, n := range []int64{ofApp[i], ofOthers[i]} {
			if n == 0 {
				continue
			}
			height := max(1, float64(n)/float64(p.Most)*(plotHeight-1))
			below += height
			p.Bars = append(p.Bars, readsBar{
				X: number(float64(i) * slot), Width: number(slot * 0.8), Y: number(max(0, plotHeight-below)), Height: number(height), Opened: at == 1,
			})
		}
	}
	return p
}
