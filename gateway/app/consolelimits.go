package app

import (
	"context"

	"vitae.internal/gateway/internal/console/shell"
)

type consoleLimits struct{ admission admissionParts }

func (l consoleLimits) Standing(ctx context.Context, accountID string) (shell.Standing, error) {
	s, err := l.admission.limiter.Standing(ctx, accountID)
	return shell.Standing{
		MinuteSpent: s.MinuteUsed, DaySpent: s.DayUsed, Now: s.Now, MinuteEnds: s.MinuteEnds, DayEnds: s.DayEnds, Partial: s.WithoutRedis,
	}, err
}

func (l consoleLimits) Surfaces() []shell.Surface {
	var all []shell.Surface
	for _, s := range l.admission.Tiers.Surfaces() {
		all = append(all, shell.Surface{
			Name: s.Name, CountedFor: s.CountedFor, Burst: shell.Rate(s.Tier.Burst), Sustained: shell.Rate(s.Tier.Sustained), Limits: s.Names(),
		})
	}
	return all
}
