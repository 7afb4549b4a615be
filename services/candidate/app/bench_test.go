package app_test

import (
	"fmt"
	"testing"

	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// BenchmarkGetSharedCv reads a CV of typical length through gRPC, mTLS and one Postgres query.
// Everything runs in one process over loopback.
func BenchmarkGetSharedCv(b *testing.B) {
	r := start(b)
	p := full("usr_1")
	for i := range 8 {
		p.Content.Experiences = append(p.Content.Experiences, &cvv1.Experience{
			Title: "Engineer", Company: fmt.Sprint("Company ", i), StartDate: text("2015-01"), EndDate: text("2016-01"),
			Overview: text("Built and ran the payment services of a regional bank."),
			Bullets:  []string{"Cut the cost of a payment by half.", "Led a team of six.", "Kept the service up through two moves."},
		})
	}
	r.create(p)
	reader := consent("usr_1", "master", "profile", "email", "cv:read", "cv:contact")
	ctx := principal.NewContext(b.Context(), reader)
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := r.me.GetSharedCv(ctx, &candidatev1.GetSharedCvRequest{}); err != nil {
				b.Error(err)
				return
			}
		}
	})
}
