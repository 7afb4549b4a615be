package app

import (
	"context"

	"vitae.internal/gateway/internal/console"
)

type consoleLimits struct{ admission admissionParts }

func (l consoleLimits) Standing(ctx context.Context, accountID string) (console.Standing, error) {
	s, err := l.admission.limiter.Standing(ctx, accountID)
	return console.Standing{
		MinuteSpent: s.MinuteUsed, DaySpent: s.DayUsed, Now: s.Now, MinuteEnds: s.MinuteEnds, DayEnds: s.DayEnds, Partial: s.WithoutRedis,
	}, err
}

func (l consoleLimits) Surfaces() []console.Surface {
	var all []console.Surface
	for _, s := range l.admission.tiers.Surfaces() {
		all = append(all, console.Surface{
			Name: s.Name, CountedFor: s.CountedFor, Burst: console.Rate(s.Tier.Burst), Sustained: console.Rate(s.Tier.Sustained), Limits: s.Names(),
		})
	}
	return all
}
