package partnerapi_test

import (
	"net/http"
	"testing"

	"pgregory.net/rapid"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// TestJobsFollowTheirStateTable acts at random. TestMain bounds how many steps it takes.
func TestJobsFollowTheirStateTable(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	rapid.Check(t, func(r *rapid.T) {
		made, err := p.API.CreateCompany(t.Context(), world.Company())
		m := &jobMachine{ctx: t.Context(), edges: p.Edges(p.API)}
		m.company, _ = m.answered(r, made, err, http.StatusCreated)["id"].(string)
		r.Repeat(map[string]func(*rapid.T){
			"create": m.create, "create another": m.create, "patch": m.patch, "publish": m.publish, "close": m.close,
			"archive": m.archive, "": m.check,
		})
	})
}

// TestEveryRowOfTheJobStateTable tries every action in every status, which random steps
// may miss.
func TestEveryRowOfTheJobStateTable(t *testing.T) {
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
				expect.Matches(t, from+" after a refused "+action, before, expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t)))
				continue
			}
			after := expect.Success(t, a)
			want := expect.But(before, map[string]any{"status": to, "updatedAt": expect.Timestamp})
			if before["postedAt"] == nil && to == "active" {
				want["postedAt"] = expect.Timestamp
			}
			expect.Matches(t, from+" after "+action, want, after)
			expect.Matches(t, "read", after, expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t)))
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
