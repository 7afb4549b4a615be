//go:build !nobrowser

package app_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/cvtest"
)

// BenchmarkWarmPDF renders a CV that has never been rendered before, using a Chromium that has already
// rendered others. It measures the time from the call to the last byte, over mTLS. The target is a median of
// 60 ms on one core.
func BenchmarkWarmPDF(b *testing.B) {
	for name, base := range map[string]*cvv1.SharedCv{"one_page": cvtest.Junior(), "two_pages": cvtest.Senior(), "arabic": cvtest.Arabic(), "five_pages": cvtest.Veteran()} {
		b.Run(name, func(b *testing.B) {
			r := newRig(b)
			for i := range 20 {
				r.render(b, withHeadline(base, fmt.Sprintf("warm-up %d", i)))
			}
			i := 0
			median(b, func() {
				i++
				r.render(b, withHeadline(base, fmt.Sprintf("render %d", i)))
			})
		})
	}
}

// BenchmarkUnchangedPDF renders a CV that has been rendered before. The target is less than 5 ms.
func BenchmarkUnchangedPDF(b *testing.B) {
	r := newRig(b)
	r.render(b, cvtest.Senior())
	median(b, func() { r.render(b, cvtest.Senior()) })
}

func withHeadline(c *cvv1.SharedCv, headline string) *cvv1.SharedCv {
	c = proto.CloneOf(c)
	c.Document.Title = wrapperspb.String(headline)
	return c
}

// median runs f repeatedly and reports the median and mean duration.
func median(b *testing.B, f func()) {
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		f()
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
}
