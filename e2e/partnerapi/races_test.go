package partnerapi_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestOneCompanyPerExternalID(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	edges, body := p.Edges(p.API), world.FullCompany()
	responses := scene.AtOnce(t, contenders, func(ctx context.Context, i int) (partner.Response, error) {
		if i/2%2 == 0 {
			return edges[i%2].CreateCompany(ctx, body)
		}
		return edges[i%2].CreateCompany(ctx, body.Without("slug")) // all have the same name
	})
	ids, made := map[string]bool{}, 0
	for _, a := range responses {
		read := expect.Success
		if a.Status == http.StatusCreated {
			made++
			read = expect.Created
		}
		ids[fmt.Sprint(read(t, a)["id"])] = true
	}
	if made != 1 || len(ids) != 1 {
		t.Errorf("%d responses of 201, %d companies; want one of each", made, len(ids))
	}
	if _, total := expect.Listed(t, expect.Must(p.API.Companies(t.Context(), ""))(t)); total != 1 {
		t.Errorf("%d companies, want 1", total)
	}
	for id := range ids {
		// A repeated request returns the company in its current state. External ids are scoped to the app.
		now := expect.Success(t, expect.Must(p.API.PatchCompany(t.Context(), id, world.Fields{"name": "Renamed"}))(t))
		expect.Matches(t, "repeated", now, expect.Success(t, expect.Must(edges[1].CreateCompany(t.Context(), body))(t)))
		if rival := expect.Created(t, expect.Must(p.Key(t, "rival-key").CreateCompany(t.Context(), body.Without("slug")))(t)); rival["id"] == id {
			t.Error("a different app got the company")
		}
	}
}
