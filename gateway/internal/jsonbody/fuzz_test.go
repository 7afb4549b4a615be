package jsonbody

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/pkg/errs"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

var seeds = []string{
	wholeJob, `{}`, `{"name":"n","industry":"i","employeeCount":"1","location":"l","description":"d","website":null}`,
	`{"socials":{"x":""},"tagline":null,"slug":"a"}`, `{"a":"\ud83d\ude00\u0000"}`, `{"a":1e400}`, `{"a":-0.0E-7,"a":0}`, "{\"\xff\":1}",
	`{"questions":[{"order":1.5}]}`, `{"x":[[[[[[[[]]]]]]]]}`, `{"compensation":null,"basics":{}}`, `[1`, `"`, `{"a":tru}`, "\ufeff{}",
}

// fuzz compares accepted bodies with the results of protojson and encoding/json.
func fuzz(f *testing.F, body *Form, empty proto.Message) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := proto.Clone(empty)
		if err := body.Decode(raw, m); err != nil {
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
			t.Fatalf("%q cannot be marshaled: %v", raw, err)
		}
		text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
		if err != nil || strings.Contains(string(text), `\u0000`) {
			t.Fatalf("%q was decoded as %s, %v", raw, text, err)
		}
		update, isUpdate := m.(interface{ GetUpdateMask() *fieldmaskpb.FieldMask })
		if !isUpdate {
			return
		}
		var known []string
		for name, f := range body.root.fields {
			if _, ok := sent[name]; ok {
				known = append(known, string(f.desc.Name()))
			}
		}
		slices.Sort(known)
		if got := slices.Sorted(slices.Values(update.GetUpdateMask().GetPaths())); !slices.Equal(got, known) {
			t.Fatalf("%q: mask %v, sent %v", raw, got, known)
		}
	})
}

func FuzzDecodeCreateCompany(f *testing.F) {
	fuzz(f, form(f, companies, "CreateCompany"), &partnercatalogv1.CreateCompanyRequest{})
}

func FuzzDecodeUpdateCompany(f *testing.F) {
	fuzz(f, form(f, companies, "UpdateCompany"), &partnercatalogv1.UpdateCompanyRequest{})
}

func FuzzDecodeCreateJob(f *testing.F) {
	fuzz(f, form(f, jobs, "CreateJob"), &partnercatalogv1.CreateJobRequest{})
}

func FuzzDecodeUpdateJob(f *testing.F) {
	fuzz(f, form(f, jobs, "UpdateJob"), &partnercatalogv1.UpdateJobRequest{})
}

// BenchmarkDecode measures the decoding of a large job. encoding/json serves as the lower bound.
func BenchmarkDecode(b *testing.B) {
	create := form(b, jobs, "CreateJob")
	b.Run("strict", func(b *testing.B) {
		for b.Loop() {
			if err := create.Decode([]byte(wholeJob), &partnercatalogv1.CreateJobRequest{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		for b.Loop() {
			var v map[string]any
			if err := json.Unmarshal([]byte(wholeJob), &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}
