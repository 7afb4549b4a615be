package jsonbody

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// values are JSON and what is nearly JSON. encoding/json tells them apart.
var values = []string{
	`0`, `-0`, `-1`, `10`, `01`, `00`, `-01`, `-`, `--1`, `+1`, `.5`, `1.`, `1.5`, `1.05`, `-1.`, `1.e1`, `1..5`, `0x1`, `1_0`, `9`, `9a`, `/`, `:`,
	`1e`, `1E`, `1e5`, `1E5`, `1e+5`, `1e-5`, `1E+05`, `1e+`, `1e-`, `1e++5`, `1e5.0`, `1.5e5`, `-1.5E-0`, `1e*`, `Infinity`, `NaN`,
	`""`, `" "`, `"!"`, `"a b"`, "\"\x1f\"", "\"\x01\"", "\"a\x1fb\"", "\"\x7f\"", "\"\\n \"", "\"\\n!\"", "\"\\n\x1f\"", "\"\\n\x01\"", "\"\n\"", "\"\\n\n\"",
	`"\""`, `"\\"`, `"\/"`, `"\b\f\n\r\t"`, `"\a"`, `"\x41"`, `"\'"`, `"\u"`, `"\u1"`, `"\u12"`, `"\u123"`, `"\u1234"`, `"\u12345"`, `"\u123g"`, `"\ug123"`, `"\U1234"`,
	`"\u00e4\u00C4"`, `"\`, `"\u`, `"\u0041`, `"\n`, `"a`, `"a\n`, `"`, `'a'`, `"a" "b"`,
	`true`, `false`, `null`, `tru`, `True`, `truer`, `fals`, `falsey`, `nul`, `nulls`, `nil`, `t`, `f`, `n`, `trux`, `falsx`, `nulx`,
	`[]`, `[ ]`, `[1]`, `[1,2]`, `[1 2]`, `[1,]`, `[,1]`, `[,]`, `[1`, `[1,`, `[`, `]`, `[1}`, `[[]]`, `[[]`, `[1;2]`,
	`{}`, `{ }`, `{"a":1}`, `{"a" : 1}`, `{"a":1,"b":2}`, `{"a":1 "b":2}`, `{"a":1,}`, `{,"a":1}`, `{"a"}`, `{"a":}`, `{"a" 1}`, `{"a",1}`, `{a:1}`, `{1:1}`, `{"a":1]`, `{"a`, `{"a"`,
	`{"a":`, `{"a":1`, `{"a":1,`, `{`, "\t1\r\n ", "\v1", "\u00a01", "1\f", ``, ` `, `,`, `1,`, `1 1`, `/* */1`, `1//`,
}

func message(t *testing.T, err error) string {
	t.Helper()
	e, ok := errs.As(err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	return e.Message
}

// What is no JSON is said to be none, wherever it stands: in a member that is read, in
// one that is skipped, and in an object of strings.
func TestABodyIsTakenIfItIsJSONAndCalledMalformedIfItIsNot(t *testing.T) {
	company := form(t, companies, "UpdateCompany")
	for _, value := range values {
		for _, body := range []string{`{"x":` + value + `}`, `{"x":[` + value + `,1]}`, `{"x":{"y":` + value + `,"z":[]}}`, `{"x":` + value} {
			skipped := company.Decode([]byte(body), &partnercatalogv1.UpdateCompanyRequest{})
			_, other := Strings([]byte(body))
			for how, err := range map[string]error{"decoded": skipped, "strings": other} {
				if json.Valid([]byte(body)) {
					if err != nil {
						t.Errorf("%q %s: %v", body, how, err)
					}
				} else if err == nil || !strings.Contains(message(t, err), "is not well-formed JSON") {
					t.Errorf("%q %s: %v", body, how, err)
				}
			}
		}
	}
}

func TestAFieldThatIsReadMustBeJSONToo(t *testing.T) {
	create := form(t, jobs, "CreateJob")
	for _, c := range [][2]string{
		{`-3.0`, `3.`}, {`-3.0`, `03`}, {`-3.0`, `-`}, {`1200.5`, `1200.`}, {`1200.5`, `1e+`}, {`"visible": false`, `"visible": fals`}, {`"visible": false`, `"visible": truth`},
		{`"AED"`, `"A\xED"`}, {`"AED"`, "\"A\x1f\""}, {`["x", "y"]`, `["x" "y"]`}, {`{"enabled": false}`, `{"enabled" false}`}, {`"k1"`, `nul`}, {`"k1"`, `k1`},
	} {
		if err := create.Decode([]byte(inJob(t, c[0], c[1])), &partnercatalogv1.CreateJobRequest{}); err == nil || !strings.Contains(message(t, err), "is not well-formed JSON at byte ") {
			t.Errorf("%s: %v", c[1], err)
		}
	}
}

func TestABodyThatIsCutAnywhereIsMalformed(t *testing.T) {
	create := form(t, jobs, "CreateJob")
	whole := inJob(t, `\ud83d\ude00`, `\u00e4`) // half of a pair is another fault
	for end := 1; end < len(whole); end++ {
		body := whole[:end]
		if err := create.Decode([]byte(body), &partnercatalogv1.CreateJobRequest{}); err == nil || !strings.Contains(message(t, err), "is not well-formed JSON") {
			t.Fatalf("cut at %d, behind %q: %v", end, body[max(0, end-20):], err)
		}
	}
	for _, body := range []string{`{"a":"`, `{"a":"x`, `{"a":"\n`, `{"a":"\u0041`, `{"a"`, `{"a":`, `{"a":-`, `{"a":1.`, `{"a":1e`, `{"a":1e-`, `{"a":1`, `{"a":[`, `{"a":[1,`, `{`, `{"`} {
		_, err := Strings([]byte(body))
		if got := message(t, err); !strings.HasSuffix(got, ": is not well-formed JSON: it ends too early") {
			t.Errorf("%s: %s", body, got)
		}
		if strings.HasPrefix(body, `{"a":"`) {
			if _, err := Strings([]byte(body), "a"); !strings.HasSuffix(message(t, err), ": it ends too early") {
				t.Errorf("%s, read: %v", body, err)
			}
		}
	}
}

// A list of keys becomes a map when it is long.
func TestAKeyThatIsThereTwiceIsFoundAmongAnyNumberOfKeys(t *testing.T) {
	for n := 1; n <= 40; n++ {
		var members []string
		for i := range n {
			members = append(members, fmt.Sprintf(`"k%d":0`, i))
		}
		if _, err := Strings([]byte("{" + strings.Join(members, ",") + "}")); err != nil {
			t.Fatalf("%d keys: %v", n, err)
		}
		for i := range n {
			again := fmt.Sprintf("k%d", i)
			_, err := Strings([]byte("{" + strings.Join(members, ",") + `,"` + again + `":0}`))
			if err == nil || message(t, err) != again+": must not be there twice" {
				t.Fatalf("%s behind %d keys: %v", again, n, err)
			}
		}
	}
}

func TestWhatIsRefusedGivesNoValue(t *testing.T) {
	for _, text := range []string{`1.`, `1e400`, `-1e400`} {
		d := decoder{raw: []byte(text)}
		if n, err := d.double(); n != 0 || err == nil {
			t.Errorf("%s: %v, %v", text, n, err)
		}
	}
	for _, text := range []string{`1.`, `2147483648`, `-2147483649`, `2147483648.0`, `-2147483649.0`, `1.5`, `1e400`} {
		d := decoder{raw: []byte(text)}
		if n, err := d.int32(); n != 0 || err == nil {
			t.Errorf("%s: %d, %v", text, n, err)
		}
	}
	for _, text := range []string{"\"a\xff\"", "\"a\x00\"", "\"a\x1f\"", `"a`, "\"\\n\xff\"", "\"\\n\x00\"", "\"\\n\x1f\"", `"\n`, `"\n\x"`, `"\n\u0000"`, `"\n\ud800"`} {
		d := decoder{raw: []byte(text)}
		if s, fault, err := d.string(); s != "" || (err == nil) == (fault == "") {
			t.Errorf("%q: %q, %q, %v", text, s, fault, err)
		}
	}
	for _, body := range []string{``, `[]`, `{"a":"1"}`, `{"a":"1","b":""}`, `{"a":"1","b":"2"}x`} {
		if got, err := Strings([]byte(body), "a", "b"); got != nil || err == nil {
			t.Errorf("%s: %v, %v", body, got, err)
		}
	}
}

func TestATextForStringsMayHaveAllOfItsBytes(t *testing.T) {
	text := strings.Repeat("x", 4096)
	if got, err := Strings([]byte(`{"a":"`+text+`"}`), "a"); err != nil || got["a"] != text {
		t.Errorf("%d bytes, %v", len(got["a"]), err)
	}
}

func TestALongOrStrangeKeyIsQuotedAndCutInAFault(t *testing.T) {
	long := strings.Repeat("k", 64)
	for key, want := range map[string]string{
		"aZ09_-": "aZ09_-", "azAZ": "azAZ", "a b": `["a b"]`, "a/b": `["a/b"]`, "a:b": `["a:b"]`, "a@b": `["a@b"]`, "a[b": `["a[b"]`, "a`b": "[\"a`b\"]", "a{b": `["a{b"]`,
		long: long, long + "k": `["` + long + `…"]`, long[:63] + "ä": `["` + long[:63] + `…"]`,
	} {
		_, err := Strings([]byte(`{"o":{"` + key + `":1,"` + key + `":1}}`))
		place := "o." + want
		if strings.HasPrefix(want, "[") {
			place = "o" + want
		}
		if got := message(t, err); got != place+": must not be there twice" {
			t.Errorf("%q: %s", key, got)
		}
	}
}
