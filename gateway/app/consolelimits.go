package app

import (
	"context"

	"vitae.internal/gateway/internal/console"
)

// consoleLimits tells the console what accounts have spent, and what tiers there are.
type consoleLimits struct{ admission admissionParts }

// Standing implements console.Limits.
func (l consoleLimits) Standing(ctx context.Context, accountID string) (console.Standing, error) {
	s, err := l.admission.limiter.Standing(ctx, accountID)
	return console.Standing{
		MinuteSpent: s.MinuteSpent, DaySpent: s.DaySpent, Now: s.Now, MinuteEnds: s.MinuteEnds, DayEnds: s.DayEnds, Partial: s.WithoutRedis,
	}, err
}

// Surfaces implements console.Limits.
func (l consoleLimits) Surfaces() []console.Surface {
	var all []console.Surface
	for _, s := range l.admission.tiers.Surfaces() {
		all = append(all, console.Surface{
			Name: s.Name, CountedFor: s.CountedFor, Burst: console.Rate(s.Tier.Burst), Sustained: console.Rate(s.Tier.Sustained), Limits: s.Names(),
		})
	}
	return all
}
