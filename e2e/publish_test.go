package e2e_test

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
)

// breach is a section that a draft may have and a live job may not (decision 29).
type breach struct {
	// section is sent in a PATCH, and put over world.Live in a create.
	section world.Fields
	// path must begin what the refusal names.
	path string
}

// in is a section of world.FullJob with some values changed; nil removes one.
func in(section string, changes world.Fields) world.Fields {
	out := maps.Clone(world.FullJob()[section].(world.Fields))
	for k, v := range changes {
		if out[k] = v; v == nil {
			delete(out, k)
		}
	}
	return world.Fields{section: out}
}

func asking(questions ...any) world.Fields {
	return world.Fields{"questions": append([]any{}, questions...)}
}

// question is a yes-no question, or another when it is changed.
func question(changes world.Fields) world.Fields {
	out := world.Fields{"prompt": "Ready?", "type": "yes_no", "required": true}
	maps.Copy(out, changes)
	return out
}

var breaches = map[string]breach{
	"an empty title":             {in("basics", world.Fields{"title": ""}), "basics.title:"},
	"a blank title":              {in("basics", world.Fields{"title": " \t"}), "basics.title:"},
	"an empty summary":           {in("content", world.Fields{"summary": ""}), "content.summary:"},
	"a blank summary":            {in("content", world.Fields{"summary": "\n"}), "content.summary:"},
	"no responsibility":          {in("content", world.Fields{"responsibilities": []any{}}), "content.responsibilities:"},
	"a blank responsibility":     {in("content", world.Fields{"responsibilities": []any{" "}}), "content.responsibilities"},
	"no requirement":             {in("content", world.Fields{"requirements": []any{}}), "content.requirements:"},
	"a blank requirement":        {in("content", world.Fields{"requirements": []any{""}}), "content.requirements"},
	"no country":                 {in("basics", world.Fields{"country": nil}), "basics.country:"},
	"no city":                    {in("basics", world.Fields{"city": nil}), "basics.city:"},
	"a blank city, on site":      {in("basics", world.Fields{"city": " ", "workMode": "onsite"}), "basics.city:"},
	"neither min nor max":        {in("compensation", world.Fields{"min": nil, "max": nil}), "compensation"},
	"a negative min":             {in("compensation", world.Fields{"min": -1}), "compensation.min:"},
	"a negative max":             {in("compensation", world.Fields{"min": nil, "max": -0.5}), "compensation.max:"},
	"min above max":              {in("compensation", world.Fields{"min": 30000}), "compensation"},
	"an unknown currency":        {in("compensation", world.Fields{"currency": "ABC"}), "compensation.currency:"},
	"no currency":                {in("compensation", world.Fields{"currency": ""}), "compensation.currency:"},
	"a currency in lower case":   {in("compensation", world.Fields{"currency": "aed"}), "compensation.currency:"},
	"a withdrawn currency":       {in("compensation", world.Fields{"currency": "DEM"}), "compensation.currency:"},
	"gold":                       {in("compensation", world.Fields{"currency": "XAU"}), "compensation.currency:"},
	"a test currency":            {in("compensation", world.Fields{"currency": "XTS"}), "compensation.currency:"},
	"an empty prompt":            {asking(question(nil), question(world.Fields{"prompt": ""})), "questions[1].prompt:"},
	"a blank prompt":             {asking(question(world.Fields{"prompt": "  "})), "questions[0].prompt:"},
	"a choice without options":   {asking(question(world.Fields{"type": "multiple_choice"})), "questions[0].options:"},
	"a choice of one":            {asking(question(world.Fields{"type": "multiple_choice", "options": []any{"A"}})), "questions[0].options"},
	"a choice of the same":       {asking(question(world.Fields{"type": "multiple_choice", "options": []any{"A", "A"}})), "questions[0].options"},
	"two questions of one id":    {asking(question(world.Fields{"id": "q"}), question(world.Fields{"id": "q"})), "questions[1].id:"},
	"two questions of one order": {asking(question(world.Fields{"order": 3}), question(nil), question(world.Fields{"order": 3})), "questions[2].order:"},
	"an unknown acknowledgement": {in("workforceProgramme", world.Fields{"acknowledged": nil}), "workforceProgramme.acknowledged:"},
	"no acknowledgement":         {in("workforceProgramme", world.Fields{"acknowledged": false}), "workforceProgramme.acknowledged:"},
}

// names asserts a refusal whose message begins with a path.
func names(t testing.TB, a partner.Answer, path string) {
	t.Helper()
	refused(t, a, http.StatusBadRequest, invalidCode)
	if message, _ := at(must(a.JSON())(t), "error", "message").(string); !strings.HasPrefix(message, path) {
		t.Errorf("the message is %q, want it to name %q", message, path)
	}
}

func TestALiveJobKeepsEveryClauseOfThePublishContract(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	company := p.company(t)
	for name, b := range breaches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faulty := world.FullJob()
			maps.Copy(faulty, b.section)
			names(t, must(p.api.CreateJob(t.Context(), company, faulty))(t), b.path)

			live := p.job(t, company, world.FullJob())
			id := live["id"].(string)
			names(t, must(p.api.PatchJob(t.Context(), id, b.section))(t), b.path)
			matches(t, "the live job", live, success(t, must(p.api.Job(t.Context(), id))(t)))

			draft := p.job(t, company, faulty.With("saveAs", "draft"))["id"].(string)
			names(t, must(p.api.Move(t.Context(), draft, "publish"))(t), b.path)
			success(t, must(p.api.PatchJob(t.Context(), draft, sections(world.FullJob(), "basics", "content", "compensation", "questions", "workforceProgramme")))(t))
			matches(t, "mended and published", "active", success(t, must(p.api.Move(t.Context(), draft, "publish"))(t))["status"])

			// A closed job may break the contract, and is then not published again.
			success(t, must(p.api.Move(t.Context(), id, "close"))(t))
			success(t, must(p.api.PatchJob(t.Context(), id, b.section))(t))
			names(t, must(p.api.Move(t.Context(), id, "publish"))(t), b.path)
			matches(t, "status", "closed", success(t, must(p.api.Job(t.Context(), id))(t))["status"])
		})
	}
	t.Cleanup(func() {
		rows, _ := listed(t, must(p.api.Jobs(context.Background(), company, "pageSize=100&status=draft"))(t))
		if len(rows) != 0 {
			t.Errorf("%d drafts are left", len(rows))
		}
	})
}

func TestWhatThePublishContractDoesNotAsk(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	company := p.company(t)
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
		if status := p.job(t, company, body)["status"]; status != "active" {
			t.Errorf("%s: %v", name, status)
		}
	}
	without := world.FullJob().Without("compensation", "eligibility", "workforceProgramme", "questions", "confidential")
	matches(t, "status", "active", p.job(t, company, without)["status"])
}
