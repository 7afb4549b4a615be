package limits_test

import (
	"regexp"
	"strconv"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
)

// BenchmarkAdmit measures the CPU time that a request takes in Redis and, for comparison, the CPU time for
// reading only the session record.
func BenchmarkAdmit(b *testing.B) {
	s := newScene(b, redisx.Config{URL: testkit.PrivateRedis(b).URL()})
	s.tier = limits.Tier{Burst: limits.Rate{Count: 1_000_000, Per: time.Second}, Sustained: limits.Rate{Count: 1_000_000, Per: time.Second}}
	s.fill(s.record())
	b.Run("read", func(b *testing.B) {
		s.redisTime(b, func() error {
			_, err := sessionrecord.Read(b.Context(), s.rdb, s.ref)
			return err
		})
	})
	b.Run("admit", func(b *testing.B) {
		refill := time.Now()
		s.redisTime(b, func() error {
			if time.Since(refill) > sessionrecord.Life/2 {
				refill = time.Now()
				s.fill(s.record())
			}
			_, err := s.limiter.Admit(b.Context(), s.ask())
			return err
		})
	})
}

var usedTime = regexp.MustCompile(`(?m)^used_cpu_(?:user|sys):([0-9.]+)`)

func (s *scene) redisTime(b *testing.B, do func() error) {
	b.Helper()
	used := func() (seconds float64) {
		for _, m := range usedTime.FindAllStringSubmatch(s.rdb.Info(b.Context(), "cpu").Val(), -1) {
			n, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				b.Fatal(err)
			}
			seconds += n
		}
		return seconds
	}
	before := used()
	for b.Loop() {
		if err := do(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((used()-before)*1e6/float64(b.N), "redis-µs/op")
}
