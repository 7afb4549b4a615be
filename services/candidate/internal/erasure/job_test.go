package erasure

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// stored is a fake store and bucket. people are the people whose data is stored. stuck are the
// people whose data cannot be deleted.
type stored struct {
	people, stuck []string
}

func (*stored) ResumesOf(context.Context, string, int) ([]Resume, error)    { return nil, nil }
func (*stored) EraseResume(context.Context, string) error                   { return nil }
func (*stored) EraseApplications(context.Context, string, int) (int, error) { return 0, nil }
func (s *stored) Remove(context.Context, string) error                      { return nil }
func (s *stored) EraseProfile(_ context.Context, personID string) error {
	if slices.Contains(s.stuck, personID) {
		return errors.New("the database is down")
	}
	s.people = slices.DeleteFunc(s.people, func(p string) bool { return p == personID })
	return nil
}

// deletions is a fake of the auth service.
type deletions struct{ due, finished []Due }

func (d *deletions) LeaseErasures(context.Context) (due []Due, err error) {
	due, d.due = d.due, nil
	return due, nil
}

func (d *deletions) FinishErasure(_ context.Context, one Due) error {
	d.finished = append(d.finished, one)
	return nil
}

func TestOnlyErasedPeopleAreReported(t *testing.T) {
	t.Parallel()
	held := &stored{people: []string{"usr_1", "usr_2", "usr_3"}, stuck: []string{"usr_1"}}
	auth := &deletions{due: []Due{{"usr_1", 1}, {"usr_2", 2}}}
	s, err := NewService(held, held, auth)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.round(t.Context()); err == nil {
		t.Error("the round returned no error")
	}
	if !slices.Equal(held.people, []string{"usr_1", "usr_3"}) || !slices.Equal(auth.finished, []Due{{"usr_2", 2}}) {
		t.Errorf("the data of %v is left, %v were reported", held.people, auth.finished)
	}
	held.stuck, auth.due = nil, []Due{{"usr_1", 1}}
	if err := s.round(t.Context()); err != nil || !slices.Equal(auth.finished, []Due{{"usr_2", 2}, {"usr_1", 1}}) {
		t.Errorf("after a retry: %v were reported, %v", auth.finished, err)
	}
}
