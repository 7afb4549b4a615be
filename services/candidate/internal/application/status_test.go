package application_test

import (
	"slices"
	"testing"

	"vitae.internal/services/candidate/internal/application"
)

// after maps each stage to the stages that may follow it (behaviour: applications#stages).
var after = map[application.Status][]application.Status{
	application.Applied: {
		application.Reviewed, application.Shortlisted, application.Interview, application.Offered, application.Rejected, application.Withdrawn,
	},
	application.Reviewed: {
		application.Shortlisted, application.Interview, application.Offered, application.Rejected, application.Withdrawn,
	},
	application.Shortlisted: {application.Interview, application.Offered, application.Rejected, application.Withdrawn},
	application.Interview:   {application.Offered, application.Rejected, application.Withdrawn},
	application.Offered:     {application.Rejected, application.Withdrawn},
	application.Rejected:    {},
	application.Withdrawn:   {},
}

func TestOnlyListedTransitionsAreAllowed(t *testing.T) {
	for from, allowed := range after {
		if !from.Valid() {
			t.Errorf("%s is not a stage", from)
		}
		for to := range after {
			if got, want := from.CanBecome(to), slices.Contains(allowed, to); got != want {
				t.Errorf("%s to %s: %v, want %v", from, to, got, want)
			}
		}
		for _, strange := range []application.Status{"", "hired", "Applied"} {
			if from.CanBecome(strange) || strange.CanBecome(from) || strange.Valid() {
				t.Errorf("the unknown stage %q is accepted next to %s", strange, from)
			}
		}
	}
}
