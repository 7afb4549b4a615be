package postgres_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"pgregory.net/rapid"

	"vitae.internal/services/candidate/internal/application"
)

// modelled is an application in the model of the search.
type modelled struct {
	id, text string
	status   application.Status
	at       time.Time
}

// TestSearchMatchesModel searches jobs with many or few applications at the same time. The hits are
// early, late or rare, or include all applications. The search texts contain the special characters
// of LIKE.
func TestSearchMatchesModel(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	jobs := 0
	rapid.Check(t, func(rt *rapid.T) {
		jobs++
		job := fmt.Sprintf("job_%d", jobs)
		rows := rapid.SliceOfN(applications(), 1, 80).Draw(rt, "rows")
		for i := range rows {
			// The underscore ensures that row 11 of job_1 does not have the same id as row 1 of
			// job_11.
			rows[i].id = fmt.Sprintf("%s_%s_%d", rows[i].id, job, i)
		}
		fillJob(t, pool, job, rows)
		slices.SortFunc(rows, func(a, b modelled) int {
			if c := b.at.Compare(a.at); c != 0 {
				return c
			}
			return strings.Compare(b.id, a.id)
		})
		for range 8 {
			f := application.Filter{JobID: job, Query: application.Fold(query(rt, rows))}
			f.Status = rapid.SampledFrom(append([]application.Status{""}, stages...)).Draw(rt, "status")
			if f.Query == "" {
				continue
			}
			var hits []string
			for _, q := range application.Orders(f.Query) {
				for _, row := range rows {
					if strings.Contains(row.text, q) && (f.Status == "" || f.Status == row.status) {
						hits = append(hits, row.id)
					}
				}
				if len(hits) > 0 {
					break
				}
			}
			offset, size := rapid.IntRange(0, len(hits)+2).Draw(rt, "offset"), rapid.IntRange(1, 30).Draw(rt, "size")
			list, err := s.Applications.List(t.Context(), f, application.Page{Offset: int64(offset), Size: int32(size)})
			if err != nil {
				rt.Fatal(err)
			}
			var got []string
			for _, row := range list.Rows {
				got = append(got, row.ID)
			}
			want := hits[min(offset, len(hits)):min(offset+size, len(hits))]
			if int(list.Total) != len(hits) || !slices.Equal(got, want) {
				rt.Fatalf("%+v at offset %d, page size %d: %d hits\n%v, want %d\n%v", f, offset, size, list.Total, got, len(hits), want)
			}
		}
	})
}

// applications generates applications with few or many different times. One of the marker texts
// occurs only in older applications.
func applications() *rapid.Generator[modelled] {
	return rapid.Custom(func(rt *rapid.T) modelled {
		slot := rapid.OneOf(rapid.IntRange(0, 2), rapid.IntRange(0, 60)).Draw(rt, "slot")
		letters := rapid.StringOfN(rapid.SampledFrom([]rune(`ab@.%_\ ف`)), 0, 6, -1)
		title := letters.Draw(rt, "title")
		switch rapid.IntRange(0, 3).Draw(rt, "marked") {
		case 0:
			title += " zebra@k.z"
		case 1:
			if slot > 40 {
				title += " okapi@k.z"
			}
		}
		return modelled{
			id:     rapid.StringOfN(rapid.RuneFrom([]rune("abcdef")), 3, 3, -1).Draw(rt, "id"),
			text:   application.SearchText(letters.Draw(rt, "name"), letters.Draw(rt, "email"), title),
			status: rapid.SampledFrom(stages).Draw(rt, "stage"),
			at:     start.Truncate(time.Millisecond).Add(-time.Duration(slot) * time.Millisecond),
		}
	})
}

// query generates a search text, which is either frequent or part of a stored text.
func query(rt *rapid.T, rows []modelled) string {
	if rapid.Bool().Draw(rt, "marked") {
		return rapid.SampledFrom([]string{"zebra", "zebra@k", "bra@k.z", "@k", "okapi", "okapi@k.z", "zebra@k.z@", "ebr", "k"}).Draw(rt, "mark")
	}
	text := []rune(rapid.SampledFrom(rows).Draw(rt, "from").text)
	first := rapid.IntRange(0, len(text)-1).Draw(rt, "first")
	last := rapid.IntRange(first+1, len(text)).Draw(rt, "last")
	line, _, _ := strings.Cut(string(text[first:last]), "\n")
	return line
}

func fillJob(t *testing.T, pool *pgxpool.Pool, job string, rows []modelled) {
	t.Helper()
	var people, lines [][]any
	for i, row := range rows {
		person := fmt.Sprintf("%s_p%d", job, i)
		people = append(people, []any{person, person + "@example.com", "Sara"})
		lines = append(lines, []any{row.id, job, person, string(row.status), row.at, row.text})
	}
	fill(t, pool, people, lines)
}
