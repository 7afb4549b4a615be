package faults_test

import (
	"syscall"
	"testing"
	"time"
)

const (
	// pdfEvery is the time between two PDF requests of a client. It keeps Chromium busy, and leaves processor
	// time for other processes.
	pdfEvery = 50 * time.Millisecond
)

// chromiumFaults returns the number of Chromium instances that a round breaks, one after another.
func chromiumFaults() int {
	if long() {
		return 3
	}
	return 1
}

// pdfFault is a fault of cvrender or of Chromium.
type pdfFault struct {
	name  string
	does  func(t *testing.T, c *scene, w *pdfWatch)
	short bool
}

func pdfFaults() []pdfFault {
	renderer := func(sig syscall.Signal, mend func(*testing.T, *scene)) func(*testing.T, *scene, *pdfWatch) {
		return func(t *testing.T, c *scene, w *pdfWatch) {
			if err := c.processes["cvrender"].Signal(sig); err != nil {
				t.Fatal(err)
			}
			w.awaitRefused(t, 3)
			mend(t, c)
		}
	}
	again := func(t *testing.T, c *scene) {
		<-c.processes["cvrender"].Done()
		c.start(t, "cvrender")
	}
	thaw := func(t *testing.T, c *scene) {
		if err := c.processes["cvrender"].Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
	// No repair is needed: cvrender replaces a broken Chromium.
	chromium := func(sig syscall.Signal, times int) func(*testing.T, *scene, *pdfWatch) {
		return func(t *testing.T, c *scene, w *pdfWatch) {
			for range times {
				broken := c.awaitChromium(t, 0)
				if err := syscall.Kill(-broken, sig); err != nil {
					t.Fatal(err)
				}
				c.awaitChromium(t, broken)
				w.awaitWhole(t, 1)
			}
		}
	}
	return []pdfFault{
		{"kill cvrender", renderer(syscall.SIGKILL, again), true},
		{"freeze cvrender", renderer(syscall.SIGSTOP, thaw), false},
		{"stop cvrender", renderer(syscall.SIGTERM, again), false},
		{"kill chromium", chromium(syscall.SIGKILL, chromiumFaults()), true},
		{"freeze chromium", chromium(syscall.SIGSTOP, 1), true},
	}
}

func TestRendererFaultsBreakNoPDF(t *testing.T) {
	s := newSystem(t)
	for _, f := range pdfFaults() {
		if f.short || long() {
			t.Run(f.name, func(t *testing.T) { pdfRound(t, s, f) })
		}
	}
}

// pdfRound causes one fault while clients read PDFs and everything else that a partner may read.
func pdfRound(t *testing.T, s *system, f pdfFault) {
	c := newScene(t, s, fault{unharmed: everyRead})
	w := &pdfWatch{scene: c, texts: map[string]string{}}
	stop := w.run(t)
	w.awaitWhole(t, 3)
	f.does(t, c, w)
	w.awaitWhole(t, 5) // without further repair
	stop()
	c.awaitReady(t, "cvrender")
	t.Logf("%d PDFs, %d refused, %d other reads", w.whole.Load(), w.refused.Load(), c.Requests.Load())
	c.Report(t)
}
