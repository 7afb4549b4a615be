package partnerapi_test

import (
	"maps"

	"vitae.internal/e2e/internal/world"
)

// breach is a section that a draft may have and a live job may not have
// (behaviour: jobs#publish-contract).
type breach struct {
	// section is sent in an update, and replaces that of world.FullJob in a create.
	section world.Fields
	// path is the beginning of the refusal's message.
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

// question is a yes-no question with some values changed.
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
