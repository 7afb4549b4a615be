package partnerapi_test

import (
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// (behaviour: jobs#job-states)
func TestJobStateAllowsActions(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	table := map[string]map[string]string{
		"draft":    {"publish": "active", "archive": "archived"},
		"active":   {"close": "closed"},
		"closed":   {"publish": "active", "archive": "archived"},
		"archived": {},
	}
	for from, allowed := range table {
		for _, action := range []string{"publish", "close", "archive"} {
			id := p.JobIn(t, company, from)
			before := expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t))
			a := expect.Must(p.API.Move(t.Context(), id, action))(t)
			to, ok := allowed[action]
			if !ok {
				expect.InvalidAt(t, a, "")
				expect.Matches(t, from+" after a rejected "+action, before, expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t)))
				continue
			}
			after := expect.Success(t, a)
			want := expect.But(before, map[string]any{"status": to, "updatedAt": expect.Timestamp})
			if before["postedAt"] == nil && to == "active" {
				want["postedAt"] = expect.Timestamp
			}
			expect.Matches(t, from+" after "+action, want, after)
			expect.Matches(t, "read again", after, expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t)))
		}
		id := p.JobIn(t, company, from)
		a := expect.Must(p.API.PatchJob(t.Context(), id, world.Fields{"distribution": "hidden"}))(t)
		if from == "archived" {
			expect.InvalidAt(t, a, "")
		} else {
			expect.Matches(t, from+" patched", from, expect.Success(t, a)["status"])
		}
	}
}

// (behaviour: jobs#publish-contract)
func TestLiveJobMeetsPublishContract(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	const path = "basics.title:"
	faulty := world.FullJob()
	faulty["basics"] = faulty["basics"].(world.Fields).With("title", " \t")
	untitled := world.Fields{"basics": faulty["basics"]}
	expect.InvalidAt(t, expect.Must(p.API.CreateJob(t.Context(), company, faulty))(t), path)

	live := p.Job(t, company, world.FullJob())
	id := live["id"].(string)
	expect.InvalidAt(t, expect.Must(p.API.PatchJob(t.Context(), id, untitled))(t), path)
	expect.Matches(t, "the live job", live, expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t)))

	draft := p.Job(t, company, faulty.With("saveAs", "draft"))["id"].(string)
	expect.InvalidAt(t, expect.Must(p.API.Move(t.Context(), draft, "publish"))(t), path)
	expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), draft, world.Fields{"basics": world.FullJob()["basics"]}))(t))
	expect.Matches(t, "corrected and published", "active", expect.Success(t, expect.Must(p.API.Move(t.Context(), draft, "publish"))(t))["status"])

	// A closed job may violate the contract, but then cannot be published again.
	expect.Success(t, expect.Must(p.API.Move(t.Context(), id, "close"))(t))
	expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), id, untitled))(t))
	expect.InvalidAt(t, expect.Must(p.API.Move(t.Context(), id, "publish"))(t), path)
	expect.Matches(t, "status", "closed", expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t))["status"])
}
