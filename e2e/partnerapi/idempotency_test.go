package partnerapi_test

import (
	"context"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// contenders is the number of concurrent calls.
const contenders = 100

// sameJob asserts that every response is a 201 with the same job, and that exactly one call created the
// job. It returns the job's id.
func sameJob(t testing.TB, responses []partner.Response) string {
	t.Helper()
	ids, made := map[string]bool{}, 0
	for _, a := range responses {
		ids[expect.Created(t, a)["id"].(string)] = true
		switch replayed := a.Header.Get("Idempotent-Replayed"); replayed {
		case "":
			made++
		case "true":
		default:
			t.Errorf("Idempotent-Replayed: %q", replayed)
		}
	}
	if len(ids) != 1 || made != 1 {
		t.Errorf("%d jobs, %d calls report a new job; want one of each", len(ids), made)
	}
	for id := range ids {
		return id
	}
	return ""
}

func TestOneJobPerIdempotencyKey(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	edges, company := p.Edges(p.API), p.Company(t)
	// Half of the calls send the key in the header, the others in the body.
	id := sameJob(t, scene.AtOnce(t, contenders, func(ctx context.Context, i int) (partner.Response, error) {
		if i/2%2 == 0 {
			return edges[i%2].CreateJob(ctx, company, world.FullJob(), "Idempotency-Key", "one")
		}
		return edges[i%2].CreateJob(ctx, company, world.FullJob().With("idempotencyKey", "one"))
	}))
	if n := p.JobCount(t, company); n != 1 {
		t.Errorf("%d jobs, want 1", n)
	}
	// A repeated request returns the job in its current state, whatever the request body contains.
	expect.Success(t, expect.Must(p.API.Move(t.Context(), id, "close"))(t))
	now := expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), id, world.Fields{"distribution": "hidden"}))(t))
	for _, edge := range edges {
		a := expect.Must(edge.CreateJob(t.Context(), company, world.Draft(), "Idempotency-Key", "one"))(t)
		expect.Matches(t, "the repeat", now, expect.Created(t, a))
		if a.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("Idempotent-Replayed: %q", a.Header.Get("Idempotent-Replayed"))
		}
	}
}
