package job

import (
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
)

func TestTimesAreInMillisecondsAndIncrease(t *testing.T) {
	fine := start.Add(987_654 * time.Nanosecond)
	j := in("")
	if err := j.begin(true, fine, nil); err != nil || !j.CreatedAt.Equal(start) || !j.UpdatedAt.Equal(start) || !j.PostedAt.Equal(start) {
		t.Errorf("begin: %v; created %v, updated %v, posted %v", err, j.CreatedAt, j.UpdatedAt, j.PostedAt)
	}
	for now, want := range map[time.Duration]time.Duration{
		-time.Hour: time.Millisecond, 0: time.Millisecond, time.Millisecond: time.Millisecond, 2*time.Millisecond - 1: time.Millisecond,
		2 * time.Millisecond: 2 * time.Millisecond, time.Hour + 1: time.Hour,
	} {
		j := in(Active)
		if j.touch(start.Add(now)); !j.UpdatedAt.Equal(start.Add(want)) {
			t.Errorf("touch after %v: UpdatedAt advanced by %v", now, j.UpdatedAt.Sub(start))
		}
	}
	draft := in(Draft)
	if err := draft.publish(fine.Add(time.Hour)); err != nil || !draft.PostedAt.Equal(start.Add(time.Hour)) || !draft.UpdatedAt.Equal(*draft.PostedAt) {
		t.Errorf("publish: %v; posted %v, updated %v", err, draft.PostedAt, draft.UpdatedAt)
	}
	posted := *draft.PostedAt
	if draft.UpdatedAt = draft.UpdatedAt.Add(time.Hour); !draft.PostedAt.Equal(posted) {
		t.Error("PostedAt changed together with UpdatedAt")
	}
}

func TestBlankSummaryMeansNoDescription(t *testing.T) {
	for summary, want := range map[string]string{"": "", " \n": "", "a": "a", " a ": " a "} {
		if got := (Content{Summary: summary}).Description(); got != want {
			t.Errorf("summary %q: description %q", summary, got)
		}
	}
}

func TestCurrencyCodeUppercasesOnlyASCII(t *testing.T) {
	for code, want := range map[string]string{"aed": "AED", "AzD": "AZD", "zar": "ZAR", "`a{z": "`A{Z", "ıſ": "ıſ", "é": "é", "": ""} {
		if got := CurrencyCode(code); got != want {
			t.Errorf("CurrencyCode(%q) = %q, want %q", code, got, want)
		}
	}
}

// The limit applies to the total size of ids, prompts and options (behaviour: jobs#size-of-a-job).
func TestQuestionsAreLimitedInBytes(t *testing.T) {
	for name, c := range map[string]struct {
		id, prompt string
		options    int
		field      string
	}{
		"only options": {"", "", 32, ""}, "options and id": {"a", "", 32, "questions"}, "options and prompt": {"", "a", 32, "questions"}, "one more option": {"", "", 33, "questions"},
		"fewer options": {"a", "a", 31, ""},
	} {
		in := complete()
		in.Questions = []Question{{ID: c.id, Prompt: c.prompt, Type: MultipleChoice, Options: lines(c.options, strings.Repeat("a", 500))}}
		wants(t, name, check(in, "draft"), errs.Invalid, c.field)
	}
}
