package partnerapi_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// TestChecksRunInTheirOrder sends requests with two faults, of which the one that is
// checked first must be reported (behaviour: errors#order-of-checks).
func TestChecksRunInTheirOrder(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	archived := p.JobIn(t, company, "archived")
	reader, _ := p.NewKey(t, "ats", "--scopes", "jobs:read,companies:read,candidates:read")
	rival := p.Key(t, "rival-key")
	bad := world.Fields{"distribution": 7}
	for what, c := range map[string]struct {
		answer partner.Answer
		want   outcome
	}{
		"scope before shape":            {expect.Must(reader.PatchJob(t.Context(), archived, bad))(t), keyNarrow},
		"scope before malformed":        {expect.Must(reader.PatchJob(t.Context(), archived, "{"))(t), keyNarrow},
		"credential before shape":       {expect.Must(p.API.With("").CreateCompany(t.Context(), "{"))(t), keyDead},
		"shape before ownership":        {expect.Must(rival.PatchJob(t.Context(), archived, bad))(t), outcome{http.StatusBadRequest, expect.InvalidCode}},
		"shape before existence":        {expect.Must(p.API.PatchJob(t.Context(), "job_unknown", bad))(t), outcome{http.StatusBadRequest, expect.InvalidCode}},
		"page before ownership":         {expect.Must(rival.Jobs(t.Context(), company, "page=0"))(t), outcome{http.StatusBadRequest, expect.InvalidCode}},
		"ownership before state":        {expect.Must(rival.Move(t.Context(), archived, "publish"))(t), notOurs},
		"ownership before contract":     {expect.Must(rival.CreateJob(t.Context(), company, noTitle(world.Live())))(t), notOurs},
		"ownership before a fixed slug": {expect.Must(rival.PatchCompany(t.Context(), company, world.Fields{"slug": "other"}))(t), notOurs},
	} {
		if c.answer.Status != c.want.status || c.answer.Code() != c.want.code {
			t.Errorf("%s:", what)
		}
		c.want.assert(t, c.answer)
	}
}
