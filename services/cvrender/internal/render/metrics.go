package render

import (
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// exposed is the pool whose metrics this process exposes. If tests create several pools, it is the
// last one.
var exposed atomic.Pointer[Pool]

func expose(p *Pool) { exposed.Store(p) }

func gauge(name, help string, value func(*Pool) float64) {
	promauto.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
		if p := exposed.Load(); p != nil {
			return value(p)
		}
		return 0
	})
}

func init() {
	gauge("vitae_render_queue", "Documents that wait to be printed.", func(p *Pool) float64 { return float64(p.queue.waiting()) })
	gauge("vitae_render_queue_max", "Documents that may wait to be printed.", func(p *Pool) float64 { return float64(p.limits.Queue) })
	gauge("vitae_render_busy", "Documents that are being printed.", func(p *Pool) float64 { return float64(p.busy.Load()) })
	gauge("vitae_render_slots", "Documents that can be printed at a time.", func(p *Pool) float64 { return float64(p.limits.Slots) })
	gauge("vitae_render_browsers", "Browsers that can print now. Fewer than slots: the others start, or do not start.", func(p *Pool) float64 {
		able := 0
		for _, s := range p.slots {
			if s.failure() == nil {
				able++
			}
		}
		return float64(able)
	})
}

var (
	turnedAway = promauto.NewCounter(prometheus.CounterOpts{
		Name: "vitae_render_turned_away_total",
		Help: "Documents that were not printed because the queue was full.",
	})
	printed = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "vitae_render_duration_seconds",
		Help:    "Time to print a document, without the wait for its turn, by result: printed or failed.",
		Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 20},
	}, []string{"result"})
	browsersStarted = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_render_browsers_started_total",
		Help: "Starts of Chromium, by result: started or failed.",
	}, []string{"result"})
	browsersEnded = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_render_browsers_ended_total",
		Help: "Ends of Chromium, by why: replaced after its share of documents or at the end of the process (planned), or broken (lost).",
	}, []string{"why"})
	answers = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_render_answers_total",
		Help: "PDFs asked for, by where they came from: the caller had it (caller), memory (cache), or it had to be printed (chromium).",
	}, []string{"from"})

	// Create all label values at the start, so that every series exists before its first event.
	prints  = map[bool]prometheus.Observer{true: printed.WithLabelValues("printed"), false: printed.WithLabelValues("failed")}
	started = map[bool]prometheus.Counter{true: browsersStarted.WithLabelValues("started"), false: browsersStarted.WithLabelValues("failed")}
	ended   = map[bool]prometheus.Counter{true: browsersEnded.WithLabelValues("planned"), false: browsersEnded.WithLabelValues("lost")}

	answeredFrom = map[string]prometheus.Counter{
		"caller": answers.WithLabelValues("caller"), "cache": answers.WithLabelValues("cache"), "chromium": answers.WithLabelValues("chromium"),
	}
)
