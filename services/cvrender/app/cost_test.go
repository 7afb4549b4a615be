//go:build !nobrowser

package app_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/chromium"
	"vitae.internal/services/cvrender/internal/cvtest"
	"vitae.internal/services/cvrender/internal/pdf"
	"vitae.internal/services/cvrender/internal/template"
)

// BenchmarkRefinedPDF prints CVs and refines each file. It reports refined-ratio, which is the processor
// time used by Chromium and this process, including package pdf, divided by the same time without package
// pdf. The target is at most 1.10.
func BenchmarkRefinedPDF(b *testing.B) {
	layout, err := template.New()
	if err != nil {
		b.Fatal(err)
	}
	refiner, err := pdf.NewRefiner(layout.Fonts())
	if err != nil {
		b.Fatal(err)
	}
	for name, base := range map[string]*cvv1.SharedCv{"one_page": cvtest.Junior(), "two_pages": cvtest.Senior(), "arabic": cvtest.Arabic(), "five_pages": cvtest.Veteran()} {
		b.Run(name, func(b *testing.B) {
			browser, err := chromium.Start(b.Context(), chromium.Options{Fonts: layout.Fonts(), MemoryLimit: 1 << 30, Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = browser.Close() }()
			var printing, refining time.Duration
			for i := 0; b.Loop(); i++ {
				document, err := layout.HTML(withHeadline(base, fmt.Sprintf("render %d", i)), template.Classic, nil)
				if err != nil {
					b.Fatal(err)
				}
				start := ownTime(b) + groupTime(b, browser.Pid())
				file, err := browser.Print(b.Context(), document)
				if err != nil {
					b.Fatal(err)
				}
				own := ownTime(b)
				printing += own + groupTime(b, browser.Pid()) - start
				own = ownTime(b)
				if _, err := refiner.Refine(file, pdf.Metadata{Author: base.GetDocument().GetName()}); err != nil {
					b.Fatal(err)
				}
				refining += ownTime(b) - own
			}
			b.ReportMetric(float64(printing+refining)/float64(printing), "refined-ratio")
			b.ReportMetric(float64(refining.Microseconds())/1000/float64(b.N), "refining-ms")
			b.ReportMetric(float64(printing.Microseconds())/1000/float64(b.N), "printing-ms")
		})
	}
}

// ownTime returns the processor time that this process has used.
func ownTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// tick is the time unit of /proc/PID/stat (proc(5)).
const tick = 10 * time.Millisecond

// groupTime returns the processor time that a process group has used.
func groupTime(b *testing.B, group int) (sum time.Duration) {
	b.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			continue // the process has exited
		}
		// The name may contain any character. The state, parent and group come after it; the ticks are the
		// 12th and 13th fields.
		fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
		if fields[2] != strconv.Itoa(group) {
			continue
		}
		for _, field := range fields[11:13] {
			n, err := strconv.Atoi(field)
			if err != nil {
				b.Fatal(err)
			}
			sum += time.Duration(n) * tick
		}
	}
	return sum
}
