package job

import (
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
)

func TestTimesAreMillisecondsAndIncrease(t *testing.T) {
	fine := start.Add(987_654 * time.Nanosecond)
	j := in("")
	if err := j.begin(true, fine, nil); err != nil || !j.CreatedAt.Equal(start) || !j.UpdatedAt.Equal(start) || !j.PostedAt.Equal(start) {
		t.Errorf("%v: %v, %v, %v", err, j.CreatedAt, j.UpdatedAt, j.PostedAt)
	}
	for now, want := range map[time.Duration]time.Duration{
		-time.Hour: time.Millisecond, 0: time.Millisecond, time.Millisecond: time.Millisecond, 2*time.Millisecond - 1: time.Millisecond,
		2 * time.Millisecond: 2 * time.Millisecond, time.Hour + 1: time.Hour,
	} {
		j := in(Active)
		if j.touch(start.Add(now)); !j.UpdatedAt.Equal(start.Add(want)) {
			t.Errorf("after %v: %v", now, j.UpdatedAt.Sub(start))
		}
	}
	draft := in(Draft)
	if err := draft.publish(fine.Add(time.Hour)); err != nil || !draft.PostedAt.Equal(start.Add(time.Hour)) || !draft.UpdatedAt.Equal(*draft.PostedAt) {
		t.Errorf("%v: %v, %v", err, draft.PostedAt, draft.UpdatedAt)
	}
	posted := *draft.PostedAt
	if draft.UpdatedAt = draft.UpdatedAt.Add(time.Hour); !draft.PostedAt.Equal(posted) {
		t.Error("the first time moves with the last")
	}
}

func TestBlankSummaryMeansNoDescription(t *testing.T) {
	for summary, want := range map[string]string{"": "", " \n": "", "a": "a", " a ": " a "} {
		if got := (Content{Summary: summary}).Description(); got != want {
			t.Errorf("%q: %q", summary, got)
		}
	}
}

func TestCurrencyCodeUppercasesOnlyASCII(t *testing.T) {
	for code, want := range map[string]string{"aed": "AED", "AzD": "AZD", "zar": "ZAR", "`a{z": "`A{Z", "ıſ": "ıſ", "é": "é", "": ""} {
		if got := CurrencyCode(code); got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
}

// The limit counts ids, prompts and options (behaviour: jobs#size-of-a-job).
func TestQuestionsAreLimitedInBytes(t *testing.T) {
	for name, c := range map[string]struct {
		id, prompt string
		options    int
		field      string
	}{
		"options alone": {"", "", 32, ""}, "and an id": {"a", "", 32, "questions"}, "and a prompt": {"", "a", 32, "questions"}, "and an option more": {"", "", 33, "questions"},
		"with room": {"a", "a", 31, ""},
	} {
		in := complete()
		in.Questions = []Question{{ID: c.id, Prompt: c.prompt, Type: MultipleChoice, Options: lines(c.options, strings.Repeat("a", 500))}}
		wants(t, name, check(in, "draft"), errs.Invalid, c.field)
	}
}
