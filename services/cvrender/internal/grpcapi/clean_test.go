package grpcapi

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

func TestSeparatorsBreakLines(t *testing.T) {
	t.Parallel()
	in := &cvv1.SharedCv{Document: &cvv1.CvDocument{
		Summary: wrapperspb.String("alpha\u2028beta\vgamma"), Skills: []string{"one\x01two"}, Socials: map[string]string{"github": "a\u2029b"},
		Experiences: []*cvv1.Experience{{Title: "x\u0085y", Bullets: []string{"\uf0b7 five\vsix"}}},
	}}
	before := proto.CloneOf(in)
	got := Cleaned(in).GetDocument()
	for what, pair := range map[string][2]string{
		"paragraph": {got.GetSummary().GetValue(), "alpha\nbeta\ngamma"}, "skill": {got.GetSkills()[0], "one two"}, "link": {got.GetSocials()["github"], "a b"},
		"title": {got.GetExperiences()[0].GetTitle(), "x\ny"}, "bullet": {got.GetExperiences()[0].GetBullets()[0], "  five\nsix"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", what, pair[0], pair[1])
		}
	}
	if !proto.Equal(in, before) {
		t.Error("the request was changed")
	}
}
