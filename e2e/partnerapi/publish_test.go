package partnerapi_test

import (
	"context"
	"maps"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// noTitle is a job that breaks the publish contract.
func noTitle(job world.Fields) world.Fields {
	return job.With("basics", job["basics"].(world.Fields).With("title", " "))
}

func TestALiveJobKeepsEveryClauseOfThePublishContract(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	for name, b := range breaches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faulty := world.FullJob()
			maps.Copy(faulty, b.section)
			expect.InvalidAt(t, expect.Must(p.API.CreateJob(t.Context(), company, faulty))(t), b.path)

			live := p.Job(t, company, world.FullJob())
			id := live["id"].(string)
			expect.InvalidAt(t, expect.Must(p.API.PatchJob(t.Context(), id, b.section))(t), b.path)
			expect.Matches(t, "the live job", live, expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t)))

			draft := p.Job(t, company, faulty.With("saveAs", "draft"))["id"].(string)
			expect.InvalidAt(t, expect.Must(p.API.Move(t.Context(), draft, "publish"))(t), b.path)
			expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), draft, sections(world.FullJob(), "basics", "content", "compensation", "questions", "workforceProgramme")))(t))
			expect.Matches(t, "mended and published", "active", expect.Success(t, expect.Must(p.API.Move(t.Context(), draft, "publish"))(t))["status"])

			// A closed job may break the contract. It cannot be published again then.
			expect.Success(t, expect.Must(p.API.Move(t.Context(), id, "close"))(t))
			expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), id, b.section))(t))
			expect.InvalidAt(t, expect.Must(p.API.Move(t.Context(), id, "publish"))(t), b.path)
			expect.Matches(t, "status", "closed", expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t))["status"])
		})
	}
	t.Cleanup(func() {
		rows, _ := expect.Listed(t, expect.Must(p.API.Jobs(context.Background(), company, "pageSize=100&status=draft"))(t))
		if len(rows) != 0 {
			t.Errorf("%d drafts are left", len(rows))
		}
	})
}

func TestWhatThePublishContractDoesNotAsk(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	for name, section := range map[string]world.Fields{
		"remote without a place": in("basics", world.Fields{"workMode": "remote", "country": nil, "city": nil}),
		"min equals max":         in("compensation", world.Fields{"min": 5, "max": 5}),
		"no max":                 in("compensation", world.Fields{"max": nil}),
		"nothing":                in("compensation", world.Fields{"min": 0, "max": nil}),
		"three decimals":         in("compensation", world.Fields{"currency": "KWD", "min": 1000.125}),
		"no programme":           in("workforceProgramme", world.Fields{"value": "none", "acknowledged": nil}),
		"no questions":           asking(),
		"orders with gaps":       asking(question(world.Fields{"order": -7}), question(world.Fields{"order": 2147483647})),
		"options apart":          asking(question(world.Fields{"type": "multiple_choice", "options": []any{"a", "b", "c"}})),
		"a masked employer":      in("confidential", world.Fields{"enabled": true, "publicLabel": nil}),
	} {
		body := world.FullJob()
		maps.Copy(body, section)
		if status := p.Job(t, company, body)["status"]; status != "active" {
			t.Errorf("%s: %v", name, status)
		}
	}
	without := world.FullJob().Without("compensation", "eligibility", "workforceProgramme", "questions", "confidential")
	expect.Matches(t, "status", "active", p.Job(t, company, without)["status"])
}
