package jsonbody

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

var seeds = []string{
	wholeJob, `{}`, `{"name":"n","industry":"i","employeeCount":"1","location":"l","description":"d","website":null}`,
	`{"socials":{"x":""},"tagline":null,"slug":"a"}`, `{"a":"\ud83d\ude00\u0000"}`, `{"a":1e400}`, `{"a":-0.0E-7,"a":0}`, "{\"\xff\":1}",
	`{"questions":[{"order":1.5}]}`, `{"x":[[[[[[[[]]]]]]]]}`, `{"compensation":null,"basics":{}}`, `[1`, `"`, `{"a":tru}`, "\ufeff{}",
}

// fuzz compares accepted bodies with what encoding/json reads.
func fuzz[M proto.Message](f *testing.F, body *Form, empty func() M, mask func(M) []string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := empty()
		err := body.Decode(raw, m)
		if err != nil {
			e, ok := errs.As(err)
			if !ok || e.Kind != errs.Invalid || !strings.Contains(e.Message, ": ") || !utf8.ValidString(e.Message) {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		var sent map[string]json.RawMessage
		if err := json.Unmarshal(raw, &sent); err != nil || !utf8.Valid(raw) {
			t.Fatalf("%q was accepted: %v", raw, err)
		}
		if _, err := proto.Marshal(m); err != nil {
			t.Fatalf("%q has no wire form: %v", raw, err)
		}
		text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
		if err != nil || strings.Contains(string(text), `\u0000`) {
			t.Fatalf("%q became %s, %v", raw, text, err)
		}
		var known []string
		for name, f := range body.root.fields {
			if _, ok := sent[name]; ok {
				known = append(known, string(f.desc.Name()))
			}
		}
		if got := mask(m); got != nil || len(known) > 0 && body.root.mask != nil {
			got = slices.Sorted(slices.Values(got))
			if slices.Sort(known); !slices.Equal(got, known) {
				t.Fatalf("%q: mask %v, sent %v", raw, got, known)
			}
		}
	})
}

func FuzzDecodeUpdateCompany(f *testing.F) {
	fuzz(f, form(f, companies, "UpdateCompany"), func() *partnercatalogv1.UpdateCompanyRequest { return &partnercatalogv1.UpdateCompanyRequest{} },
		func(m *partnercatalogv1.UpdateCompanyRequest) []string { return m.GetUpdateMask().GetPaths() })
}

func FuzzDecodeCreateJob(f *testing.F) {
	fuzz(f, form(f, jobs, "CreateJob"), func() *partnercatalogv1.CreateJobRequest { return &partnercatalogv1.CreateJobRequest{} },
		func(*partnercatalogv1.CreateJobRequest) []string { return nil })
}
