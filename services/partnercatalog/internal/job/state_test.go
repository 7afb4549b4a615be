package job

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
)

// in returns a complete job with the given status.
func in(status Status) Job {
	j := Job{ID: "job_1", CompanyID: "com_1", Status: status, CreatedAt: start, UpdatedAt: start}
	input := complete()
	j.replace(input, input.sent())
	if status == Active || status == Closed {
		j.PostedAt = ptr(start)
	}
	return j
}

func TestMovesFollowStateTable(t *testing.T) {
	now := start.Add(time.Hour)
	edit := func(j *Job) error {
		return j.edit(Input{Distribution: "hidden"}, []Section{SectionDistribution}, now)
	}
	publish := func(j *Job) error { return j.publish(now) }
	closing := func(j *Job) error { return j.close(now) }
	archive := func(j *Job) error { return j.archive(now) }
	for _, tc := range []struct {
		from Status
		move string
		do   func(*Job) error
		to   Status
		want error
	}{
		{Draft, "edit", edit, Draft, nil},
		{Active, "edit", edit, Active, nil},
		{Closed, "edit", edit, Closed, nil},
		{Archived, "edit", edit, Archived, ErrCannotEdit},
		{Draft, "publish", publish, Active, nil},
		{Active, "publish", publish, Active, ErrLiveAlready},
		{Closed, "publish", publish, Active, nil},
		{Archived, "publish", publish, Archived, ErrArchived},
		{Draft, "close", closing, Draft, ErrNotLive},
		{Active, "close", closing, Closed, nil},
		{Closed, "close", closing, Closed, ErrNotLive},
		{Archived, "close", closing, Archived, ErrNotLive},
		{Draft, "archive", archive, Archived, nil},
		{Active, "archive", archive, Active, ErrLive},
		{Closed, "archive", archive, Archived, nil},
		{Archived, "archive", archive, Archived, ErrArchivedAlready},
	} {
		j := in(tc.from)
		before := j
		err := tc.do(&j)
		if !errors.Is(err, tc.want) || j.Status != tc.to {
			t.Errorf("%s of a job with status %s: %v, new status %s; want %v and %s", tc.move, tc.from, err, j.Status, tc.want, tc.to)
		}
		if tc.want != nil {
			wants(t, tc.move, err, errs.Precondition, "status")
			if !reflect.DeepEqual(j, before) {
				t.Errorf("%s of a job with status %s failed but changed the job", tc.move, tc.from)
			}
		} else if !j.UpdatedAt.Equal(now) {
			t.Errorf("%s of a job with status %s: updated at %v", tc.move, tc.from, j.UpdatedAt)
		}
	}
}

func TestJobBeginsAsDraftOrLive(t *testing.T) {
	draft, live := in(""), in("")
	if err := draft.begin(false, start, nil); err != nil || draft.Status != Draft || draft.PostedAt != nil {
		t.Errorf("begin a draft: %v, %+v", err, draft)
	}
	if err := live.begin(true, start, nil); err != nil || live.Status != Active || !live.PostedAt.Equal(start) {
		t.Errorf("begin a live job: %v, %+v", err, live)
	}
	broken := in("")
	broken.Basics.Title = ""
	wants(t, "live", broken.begin(true, start, nil), errs.Precondition, "basics.title")
	wants(t, "draft", broken.begin(false, start, nil), errs.Precondition, "")
}

func TestPostedAtIsFirstPublication(t *testing.T) {
	j := in(Draft)
	first := start.Add(time.Hour)
	for i, move := range []func(time.Time) error{j.publish, j.close, j.publish, j.close, j.archive} {
		if err := move(first.Add(time.Duration(i) * time.Hour)); err != nil {
			t.Fatal(err)
		}
		if !j.PostedAt.Equal(first) {
			t.Fatalf("after move %d: posted at %v, want %v", i, j.PostedAt, first)
		}
	}
}

func TestJobThatViolatesContractIsNotPublished(t *testing.T) {
	for _, from := range []Status{Draft, Closed} {
		j := in(from)
		if err := j.edit(Input{Content: &Content{}}, []Section{SectionContent}, start); err != nil {
			t.Fatalf("%s: %v", from, err)
		}
		wants(t, string(from), j.publish(start), errs.Precondition, "content.summary")
		if j.Status != from {
			t.Errorf("status %s became %s", from, j.Status)
		}
	}
	j := in(Active)
	wants(t, "edit of a live job", j.edit(Input{Content: &Content{}}, []Section{SectionContent}, start), errs.Precondition, "content.summary")
}

func TestEmptyEditChangesNothing(t *testing.T) {
	j := in(Active)
	before := j
	if err := j.edit(Input{}, nil, start.Add(time.Hour)); err != nil || !reflect.DeepEqual(j, before) {
		t.Errorf("empty edit: %v, %+v", err, j)
	}
	archived := in(Archived)
	if err := archived.edit(Input{}, nil, start); !errors.Is(err, ErrCannotEdit) {
		t.Error(err)
	}
}
