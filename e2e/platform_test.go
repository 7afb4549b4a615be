package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
)

const invalidCode = "PUBLIC_API_VALIDATION_ERROR"

// platform is the world of one test of the partner API: an app that acts for
// employers, and a stranger's.
type platform struct {
	*scene
	// api is the app's key of every scope at the first replica.
	api partner.Employer
}

// newPlatform imports the accounts of world.Platform and world.OtherPlatform, and
// what else a world holds.
func newPlatform(t testing.TB, more ...world.World) platform {
	t.Helper()
	return platformOn(t, system, more...)
}

func platformOn(t testing.TB, on *stack.Stack, more ...world.World) platform {
	t.Helper()
	var w world.World
	if len(more) > 0 {
		w = more[0]
	}
	w.Developers = append([]world.Developer{world.Platform(), world.OtherPlatform()}, w.Developers...)
	p := platform{scene: &scene{stack: on, world: w, created: world.Import(t, on, w)}}
	p.api = p.key(t, "ats-key")
	return p
}

// key is the imported key with the ref, at the first replica.
func (p platform) key(t testing.TB, ref string) partner.Employer {
	t.Helper()
	made, ok := p.created.APIKeys[ref]
	if !ok {
		t.Fatalf("no key %q", ref)
	}
	return partner.Employer{BaseURL: p.stack.BaseURLs[0], Key: made.Key}
}

// newKey makes a key of an app with vitaectl, and gives its id too.
func (p platform) newKey(t testing.TB, app string, flags ...string) (partner.Employer, string) {
	t.Helper()
	made := p.vitaectl(t, append([]string{"key", "create", "--app", p.created.Apps[app].ID}, flags...)...)
	return p.api.With(made["key"].(string)), made["id"].(string)
}

// edges are the client at every replica.
func (p platform) edges(c partner.Employer) []partner.Employer {
	var all []partner.Employer
	for _, u := range p.stack.BaseURLs {
		all = append(all, c.At(u))
	}
	return all
}

// created asserts a 201 in the envelope and gives its data.
func created(t testing.TB, a partner.Answer) map[string]any {
	t.Helper()
	body := envelope(t, a, http.StatusCreated)
	data, ok := body["data"].(map[string]any)
	if !ok || body["error"] != nil || body["meta"] != nil {
		t.Fatalf("want data alone: %s", a)
	}
	return data
}

// company makes a company and gives its id.
func (p platform) company(t testing.TB) string {
	t.Helper()
	return p.companyOf(t, "ats-key")
}

// companyOf makes a company with the key of the ref.
func (p platform) companyOf(t testing.TB, key string) string {
	t.Helper()
	return created(t, must(p.key(t, key).CreateCompany(t.Context(), world.Company()))(t))["id"].(string)
}

// catalog is a connection of an internal team to the catalogue.
func (p platform) catalog(t testing.TB) *grpc.ClientConn {
	t.Helper()
	return dial(t, p.stack, must(p.stack.Note())(t).GRPC.PartnerCatalog, "partnercatalog", "internal")
}

// job makes a job of a company and gives it.
func (p platform) job(t testing.TB, company string, body world.Fields) map[string]any {
	t.Helper()
	return created(t, must(p.api.CreateJob(t.Context(), company, body))(t))
}

// jobIn makes a job in a status and gives its id.
func (p platform) jobIn(t testing.TB, company, status string) string {
	t.Helper()
	body := world.Live()
	if status == "draft" || status == "archived" {
		body = world.Draft()
	}
	id := p.job(t, company, body)["id"].(string)
	for _, action := range map[string][]string{"closed": {"close"}, "archived": {"archive"}}[status] {
		success(t, must(p.api.Move(t.Context(), id, action))(t))
	}
	return id
}

// invalid asserts a 400 that names a path of the body; any message when the path
// is empty.
func invalid(t testing.TB, a partner.Answer, path string) {
	t.Helper()
	refused(t, a, http.StatusBadRequest, invalidCode)
	body, err := a.JSON()
	if err != nil {
		t.Fatal(err)
	}
	message, _ := at(body, "error", "message").(string)
	if path != "" && !strings.HasPrefix(message, path+":") {
		t.Errorf("the message is %q, want it to name %q", message, path)
	}
}

// listed asserts a page of a list and gives it, and the total.
func listed(t testing.TB, a partner.Answer) ([]map[string]any, int) {
	t.Helper()
	body := envelope(t, a, http.StatusOK)
	rows, ok := body["data"].([]any)
	if !ok || body["error"] != nil {
		t.Fatalf("want a list alone: %s", a)
	}
	meta, ok := body["meta"].(map[string]any)
	if !ok {
		t.Fatalf("no paging: %s", a)
	}
	hasKeys(t, "meta", meta, "page", "pageSize", "total", "totalPages")
	page, size, total, pages := whole(t, meta["page"]), whole(t, meta["pageSize"]), whole(t, meta["total"]), whole(t, meta["totalPages"])
	if want := (total + size - 1) / size; pages != want {
		t.Errorf("totalPages %d, want %d: %v", pages, want, meta)
	}
	if want := min(size, max(0, total-(page-1)*size)); len(rows) != want {
		t.Errorf("%d rows on page %d, want %d: %v", len(rows), page, want, meta)
	}
	var out []map[string]any
	for _, r := range rows {
		row, ok := r.(map[string]any)
		if !ok {
			t.Fatalf("a row is no object: %s", a)
		}
		out = append(out, row)
	}
	return out, total
}

func whole(t testing.TB, v any) int {
	t.Helper()
	n, _ := v.(json.Number)
	i, err := n.Int64()
	if err != nil {
		t.Fatalf("%v is no whole number", v)
	}
	return int(i)
}

// column are the values of a key in rows.
func column(rows []map[string]any, key string) []string {
	out := []string{}
	for _, r := range rows {
		s, _ := r[key].(string)
		out = append(out, s)
	}
	return out
}

// newestFirst asserts the order of lists: by a timestamp, then by id.
func newestFirst(t testing.TB, rows []map[string]any, when, id string) {
	t.Helper()
	if !slices.IsSortedFunc(rows, func(a, b map[string]any) int {
		return strings.Compare(fmt.Sprint(b[when], b[id]), fmt.Sprint(a[when], a[id]))
	}) {
		t.Errorf("not newest first: %v", column(rows, when))
	}
}

// number matches a JSON number of a value.
func number(want float64) matcher {
	return func(v any) error {
		n, _ := v.(json.Number)
		if f, err := n.Float64(); err != nil || f != want {
			return fmt.Errorf("%v, want the number %v", v, want)
		}
		return nil
	}
}

// instant reads a timestamp of an answer.
func instant(t testing.TB, v any) time.Time {
	t.Helper()
	if err := timestamp(v); err != nil {
		t.Fatal(err)
	}
	return must(time.Parse(time.RFC3339Nano, v.(string)))(t)
}

// awaitTimeout is for what the system does soon after an answer.
const awaitTimeout = 30 * time.Second

// await waits until a condition holds.
func await(t testing.TB, what string, condition func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), awaitTimeout)
	defer cancel()
	if err := stack.Until(ctx, what, condition); err != nil {
		t.Fatal(err)
	}
}
