package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vitae.internal/pkg/id"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres"
)

var errRefused = errors.New("refused")

// may returns the rule by which the service permits a stage change.
func may(to application.Status) func(application.Status) error {
	return func(from application.Status) error {
		if !from.CanBecome(to) {
			return errRefused
		}
		return nil
	}
}

var everyStage = []application.Status{
	application.Applied, application.Reviewed, application.Shortlisted, application.Interview,
	application.Offered, application.Rejected, application.Withdrawn,
}

// TestStagesMatchModel moves the applications to two jobs between stages in any order, with clocks
// that stand still or go backward, and lists the applications after each step.
func TestStagesMatchModel(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	add(t, s, "usr_1", "sara")
	run, profiles := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		jobs := []string{fmt.Sprintf("job_%d_a", run), fmt.Sprintf("job_%d_b", run)}
		model := map[string]application.Row{}
		var ids []string
		people := 0
		rt.Repeat(map[string]func(*rapid.T){
			"apply": func(rt *rapid.T) {
				people++
				person := fmt.Sprintf("usr_model_%d", people) // includes earlier runs
				if people > profiles {
					profiles = people
					if err := s.Profiles.CreateProfile(t.Context(), full(person, "")); err != nil {
						rt.Fatal(err)
					}
				}
				at := start.Add(-time.Duration(rapid.IntRange(0, 200).Draw(rt, "minutes")) * time.Minute)
				row, err := s.Applications.Apply(t.Context(), applying(person, rapid.SampledFrom(jobs).Draw(rt, "job"), at))
				if err != nil {
					rt.Fatal(err)
				}
				model[row.ID] = row
				ids = append(ids, row.ID)
			},
			"move": func(rt *rapid.T) {
				if len(ids) == 0 {
					rt.Skip("there are no applications yet")
				}
				want := model[rapid.SampledFrom(ids).Draw(rt, "application")]
				to := rapid.SampledFrom(everyStage).Draw(rt, "to")
				at := start.Add(time.Duration(rapid.IntRange(-3, 3).Draw(rt, "hours")) * time.Hour)
				row, err := s.Applications.Move(t.Context(), want.ID, to, at, may(to))
				if !want.Status.CanBecome(to) {
					if !errors.Is(err, errRefused) {
						rt.Fatalf("%s to %s: %v", want.Status, to, err)
					}
					return
				}
				if at.Before(want.UpdatedAt) {
					at = want.UpdatedAt
				}
				want.Status, want.UpdatedAt = to, at
				want.History = append(slices.Clone(want.History), application.Change{Status: to, At: at})
				if err != nil || !reflect.DeepEqual(row, want) {
					rt.Fatalf("the move returned %v and %+v\nwant %+v", err, row, want)
				}
				model[want.ID] = want
			},
			"": func(rt *rapid.T) {
				status := rapid.SampledFrom(append([]application.Status{""}, everyStage...)).Draw(rt, "listed")
				for _, job := range jobs {
					checkList(t, rt, s, application.Filter{JobID: job, Status: status}, model)
				}
			},
		})
	})
	consistent(t, pool)
}

// checkList compares the list of a job's applications with the model, for all stages or for one
// stage.
func checkList(t *testing.T, rt *rapid.T, s *postgres.Stores, f application.Filter, model map[string]application.Row) {
	var want []application.Row
	for _, row := range model {
		if row.JobID == f.JobID && (f.Status == "" || row.Status == f.Status) {
			want = append(want, row)
		}
	}
	slices.SortFunc(want, func(a, b application.Row) int {
		if c := b.AppliedAt.Compare(a.AppliedAt); c != 0 {
			return c
		}
		if a.ID < b.ID {
			return 1
		}
		return -1
	})
	got, err := s.Applications.List(t.Context(), f, application.Page{Size: 100})
	if err != nil {
		rt.Fatal(err)
	}
	if int(got.Total) != len(want) || len(got.Rows) != min(len(want), 100) {
		rt.Fatalf("%+v: the list has %d rows of %d, want %d", f, len(got.Rows), got.Total, len(want))
	}
	for i, row := range got.Rows {
		w := want[i]
		if row.ID != w.ID || row.Status != w.Status || !slices.Equal(row.History, w.History) {
			rt.Fatalf("%+v, row %d: %+v, want %+v", f, i, row, w)
		}
	}
}

func TestOneFinalStageWins(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	add(t, s, "usr_1", "sara")
	row := apply(t, s, applying("usr_1", "job_1", start))
	var mu sync.Mutex
	moved := 0
	var wg sync.WaitGroup
	for i := range 30 {
		to := everyStage[1+i%6]
		wg.Go(func() {
			_, err := s.Applications.Move(context.Background(), row.ID, to, start.Add(time.Duration(i)*time.Minute), may(to))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				moved++
			} else if !errors.Is(err, errRefused) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got := all(t, s, application.Filter{JobID: "job_1"}).Rows[0]
	if len(got.History) != moved+1 || (got.Status != application.Rejected && got.Status != application.Withdrawn) {
		t.Errorf("%d moves succeeded, the history is %v", moved, got.History)
	}
	for i, change := range got.History[1:] {
		if !got.History[i].Status.CanBecome(change.Status) || change.At.Before(got.History[i].At) {
			t.Errorf("the history is %v", got.History)
		}
	}
	consistent(t, pool)
}

func TestConcurrentMovesDoNotDeadlock(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	var rows []application.Row
	for i := range 12 {
		person := fmt.Sprintf("usr_%d", i)
		add(t, s, person, "")
		rows = append(rows, apply(t, s, applying(person, "job_1", start.Add(-time.Duration(i)*time.Hour))))
	}
	var wg sync.WaitGroup
	for i, row := range rows {
		wg.Go(func() {
			for _, to := range []application.Status{everyStage[1+i%4], everyStage[5+i%2]} {
				if _, err := s.Applications.Move(context.Background(), row.ID, to, start, may(to)); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			if _, err := s.Applications.Apply(context.Background(), applying(row.PersonID, "job_2", start)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	consistent(t, pool)
}

func TestUnknownApplicationCannotMove(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	_, err := s.Applications.Move(t.Context(), id.New("apl"), application.Rejected, start, may(application.Rejected))
	if !errors.Is(err, application.ErrApplicationNotFound) {
		t.Errorf("moving an unknown application: %v", err)
	}
}
