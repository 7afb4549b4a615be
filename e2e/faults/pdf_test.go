package faults_test

import (
	"syscall"
	"testing"
	"time"
)

const (
	// pdfEvery keeps Chromium busy, and leaves the other parts some of the machine.
	pdfEvery = 50 * time.Millisecond
)

// chromiumFaults is how many Chromiums a round breaks, one after the other.
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
	part := func(sig syscall.Signal, mend func(*testing.T, *scene)) func(*testing.T, *scene, *pdfWatch) {
		return func(t *testing.T, c *scene, w *pdfWatch) {
			if err := c.parts["cvrender"].Signal(sig); err != nil {
				t.Fatal(err)
			}
			w.awaitRefused(t, 3)
			mend(t, c)
		}
	}
	again := func(t *testing.T, c *scene) {
		<-c.parts["cvrender"].Done()
		c.start(t, "cvrender")
	}
	thaw := func(t *testing.T, c *scene) {
		if err := c.parts["cvrender"].Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
	// Nobody mends a Chromium: cvrender replaces it.
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
		{"kill cvrender", part(syscall.SIGKILL, again), true},
		{"freeze cvrender", part(syscall.SIGSTOP, thaw), false},
		{"end cvrender", part(syscall.SIGTERM, again), false},
		{"kill chromium", chromium(syscall.SIGKILL, chromiumFaults()), true},
		{"freeze chromium", chromium(syscall.SIGSTOP, 1), true},
	}
}

func TestAPDFIsWholeOrRefusedWhateverHappensToWhatMakesIt(t *testing.T) {
	s := newSystem(t)
	for _, f := range pdfFaults() {
		if f.short || long() {
			t.Run(f.name, func(t *testing.T) { pdfRound(t, s, f) })
		}
	}
}

// pdfRound is one fault while PDFs, and everything else that a partner may read, are read.
func pdfRound(t *testing.T, s *system, f pdfFault) {
	c := newScene(t, s, fault{unharmed: everyRead})
	w := &pdfWatch{scene: c, texts: map[string]string{}}
	stop := w.run(t)
	w.awaitWhole(t, 3)
	f.does(t, c, w)
	w.awaitWhole(t, 5) // PDFs come again by themselves
	stop()
	c.awaitReady(t, "cvrender")
	t.Logf("%d PDFs, %d refused, %d other reads", w.whole.Load(), w.refused.Load(), c.Requests.Load())
	c.Report(t)
}
