package app_test

import (
	"testing"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

func TestPersonSharesOnlyOwnCVs(t *testing.T) {
	t.Parallel()
	r := start(t)
	empty := bare("usr_empty")
	empty.Content = nil
	for _, p := range []*candidatev1.Profile{bare("usr_1"), bare("usr_2"), empty} {
		r.create(p)
	}
	own, other := r.createCv("usr_1", "Own", &candidatev1.CvContent{}), r.createCv("usr_2", "Other", &candidatev1.CvContent{})
	for _, tt := range []struct {
		person, cv string
		may        bool
	}{
		{"usr_1", "master", true},
		{"usr_1", own.GetId(), true},
		{"usr_1", other.GetId(), false},
		{"usr_1", "cv_unknown", false},
		{"usr_empty", "master", true}, // the CV is created after the consent
		{"usr_empty", own.GetId(), false},
		{"usr_unknown", own.GetId(), false},
	} {
		_, err := r.pages.ListOwnCvs(t.Context(), &candidatev1.ListOwnCvsRequest{SessionToken: sessionOf(tt.person), CvId: tt.cv})
		if tt.may && err != nil || !tt.may && !errs.HasCode(err, "CV_NOT_FOUND") {
			t.Errorf("%s shares %s: %v", tt.person, tt.cv, err)
		}
	}
}
