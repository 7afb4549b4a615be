package cmd

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"vitae.internal/cli/internal/conntest"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

func TestUsageErrorsNameFlags(t *testing.T) {
	for line, want := range map[string]string{
		"company set com_1 --verified=maybe":              `invalid argument "maybe" for "--verified" flag: must be true or false`,
		"usage dev_1 --from yesterday":                    `invalid argument "yesterday" for "--from" flag: must be a day, for example 2030-01-31`,
		"usage --to yesterday dev_1":                      `"--to" flag: must be a day, for example 2030-01-31`,
		"requests dev_1 --from yesterday":                 `"--from" flag: must be a day or a time, for example 2030-01-31`,
		"audit dev_1 --from yesterday":                    `"--from" flag: must be a day or a time, for example 2030-01-31`,
		"company set com_1 --verified false":              "--verified=false",
		"company set --published true com_1":              "--published=true",
		"key create --app app_1 --scopes jobs:read, b":    "without spaces, or put them in quotes",
		"key create --app a --scopes b --expires-at 2030": `"--expires-at" flag: must be an RFC 3339 time, for example 2030-01-31T00:00:00Z`,
	} {
		status, _, stderr := vitaectl(&conntest.Conn{Answer: answer}, "", strings.Split(line, " ")...)
		if status != exitUsage || !strings.Contains(stderr, want) || strings.Contains(stderr, "strconv") {
			t.Errorf("%s: status %d, %q, want %q", line, status, stderr, want)
		}
	}
}

func TestServiceErrorNamesFlag(t *testing.T) {
	for _, c := range []struct{ line, field, want string }{
		{"key create --app app_1 --scopes a --expires-at 2020-01-31T12:00:00Z", "expires_at", "--expires-at: is wrong"},
		{"key create --app app_1 --scopes a,b", "scopes[1]", "--scopes: is wrong"},
		{"key list --app x", "app_id", "--app: is wrong"},
		{"account plan dev_1 custom --per-minute -1 --per-day 1", "plan.per_minute", "--per-minute: is wrong"},
		{"account plan dev_1 custom --per-minute 1 --per-day -1", "plan.per_day", "--per-day: is wrong"},
		{"usage dev_1 --from 2026-01-01", "from_day", "--from: is wrong"},
		{"account suspend x", "id", "id: is wrong"},
	} {
		conn := &conntest.Conn{Answer: func(conntest.Call) (proto.Message, error) {
			return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "%s: is wrong", c.field).WithField(c.field)
		}}
		status, _, stderr := vitaectl(conn, "", strings.Fields(c.line)...)
		if want := "vitaectl: " + c.want + " (INVALID_ARGUMENT)\n"; status != exitFailed || stderr != want {
			t.Errorf("%s: status %d, %q, want %q", c.line, status, stderr, want)
		}
	}
}

func TestErrorsAreListedOncePerFlag(t *testing.T) {
	faults := fault.Argument()
	faults.Add("app_id", "is unknown")
	faults.Add("scopes[0]", "is wrong")
	faults.Add("scopes[2]", "is wrong")
	faults.Add("name.form", "is odd")
	conn := &conntest.Conn{Answer: func(conntest.Call) (proto.Message, error) { return nil, faults.Err() }}
	const line = "key create --app app_1 --scopes a,b,c"
	const lines = "--app: is unknown\n--scopes: is wrong\nname.form: is odd\nvitaectl: the request has 3 faults (INVALID_ARGUMENT)\n"
	status, stdout, stderr := vitaectl(conn, "", strings.Fields(line)...)
	if status != exitFailed || stdout != "" || stderr != lines {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	status, stdout, stderr = vitaectl(conn, "", strings.Fields(line+" -o json")...)
	const want = `{"code":"INVALID_ARGUMENT","violations":[{"field":"--app","message":"is unknown"},` +
		`{"field":"--scopes","message":"is wrong"},{"field":"name.form","message":"is odd"}]}`
	if status != exitFailed || strings.Join(strings.Fields(stdout), "") != strings.Join(strings.Fields(want), "") || stderr != lines {
		t.Errorf("status %d, stdout %s, stderr %q", status, stdout, stderr)
	}
}

func TestTruncatedErrorListIsMarked(t *testing.T) {
	faults := fault.Argument()
	for i := range 5000 {
		faults.Add(fmt.Sprintf("field_%d", i), "is wrong")
	}
	conn := &conntest.Conn{Answer: func(conntest.Call) (proto.Message, error) { return nil, faults.Err() }}
	_, _, stderr := vitaectl(conn, "", strings.Fields("key create --app app_1 --scopes a")...)
	const end = "field_999: is wrong\nvitaectl: the request has more than 1000 faults (INVALID_ARGUMENT)\n"
	if !strings.HasSuffix(stderr, end) {
		t.Errorf("it ends with %q", stderr[max(0, len(stderr)-200):])
	}
	_, stdout, _ := vitaectl(conn, "", strings.Fields("key create --app app_1 --scopes a -o json")...)
	var shown struct {
		Violations []struct{ Field string }
		Truncated  bool
	}
	if err := json.Unmarshal([]byte(stdout), &shown); err != nil || !shown.Truncated || len(shown.Violations) != 1000 || shown.Violations[999].Field == "" {
		t.Errorf("%v: truncated %t, %d entries", err, shown.Truncated, len(shown.Violations))
	}
}

func TestFailedImportListsEveryError(t *testing.T) {
	faults := fault.Argument()
	faults.Add("name", "is wrong")
	faults.Add("email", "is taken")
	conn := &conntest.Conn{Answer: func(call conntest.Call) (proto.Message, error) {
		if req, ok := call.Request.(*authv1.CreateAccountRequest); ok && !req.GetValidateOnly() {
			return nil, faults.Err()
		}
		return answer(call)
	}}
	status, _, stderr := vitaectl(conn, goodFile, "import", "-")
	const want = "the import stopped at developers[0]: name: is wrong; email: is taken (INVALID_ARGUMENT)\n"
	if status != exitFailed || !strings.HasSuffix(stderr, want) {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}

// TestHelpListsKeyScopes compares the scopes in the help text with the scopes that the routes of the partner
// API require.
func TestHelpListsKeyScopes(t *testing.T) {
	required := map[string]bool{}
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				access := proto.GetExtension(methods.Get(j).Options(), optionsv1.E_Access).(*optionsv1.Access)
				if access.GetCredential() == optionsv1.Credential_CREDENTIAL_API_KEY {
					required[access.GetScope()] = true
				}
			}
		}
		return true
	})
	_, help, _ := vitaectl(&conntest.Conn{Answer: answer}, "", "key", "create", "--help")
	listed := strings.Split(companyScopes, ", ")
	if len(required) != len(listed) || !strings.Contains(help, companyScopes) {
		t.Errorf("the help lists %q, routes require %v:\n%s", listed, required, help)
	}
	for _, s := range listed {
		if !required[s] {
			t.Errorf("no route requires %s", s)
		}
	}
}

func TestTypoSuggestsHelpAndCommand(t *testing.T) {
	for line, want := range map[string]string{
		"acount list":           "vitaectl: unknown command \"acount\" for \"vitaectl\"; did you mean account?\nvitaectl --help shows the usage.\n",
		"account suspned dev_1": "vitaectl: unknown command \"suspned\" for \"vitaectl account\"; did you mean suspend?\nvitaectl account --help shows the usage.\n",
		"key zzzzzz":            "vitaectl: unknown command \"zzzzzz\" for \"vitaectl key\"\nvitaectl key --help shows the usage.\n",
		"account plan dev_1 gold": "vitaectl: the plan must be standard, elevated or custom, not \"gold\"\n" +
			"vitaectl account plan --help shows the usage.\n",
		"key list --ap app_1": "vitaectl: unknown flag: --ap\nvitaectl key list --help shows the usage.\n",
		"key list":            "vitaectl: APP is missing\nvitaectl key list --help shows the usage.\n",
		"account suspend":     "vitaectl: ID is missing\nvitaectl account suspend --help shows the usage.\n",
		"account list dev_1":  "vitaectl: \"dev_1\" is an argument, but vitaectl account list takes only flags\nvitaectl account list --help shows the usage.\n",
		"audit dev_1 dev_2":   "vitaectl: got 2 arguments, but the command takes at most 1\nvitaectl audit --help shows the usage.\n",
		"key list a --app a":  "vitaectl: name the app once, as the argument or with --app\nvitaectl key list --help shows the usage.\n",
		"account plan dev_1":  "vitaectl: standard|elevated|custom is missing\nvitaectl account plan --help shows the usage.\n",
		"account suspend a b": "vitaectl: got 2 arguments, but the command takes 1: ID\nvitaectl account suspend --help shows the usage.\n",
		"acount --nope":       "vitaectl: unknown command \"acount\" for \"vitaectl\"; did you mean account?\nvitaectl --help shows the usage.\n",
		"key zzzzzz --app a":  "vitaectl: unknown command \"zzzzzz\" for \"vitaectl key\"\nvitaectl key --help shows the usage.\n",
		"acount --help":       "vitaectl: unknown command \"acount\" for \"vitaectl\"; did you mean account?\nvitaectl --help shows the usage.\n",
		"key lst -h":          "vitaectl: unknown command \"lst\" for \"vitaectl key\"; did you mean list?\nvitaectl key --help shows the usage.\n",
		"usage minuets dev_1": "vitaectl: unknown command \"minuets\" for \"vitaectl usage\"; did you mean minutes?\nvitaectl usage --help shows the usage.\n",
		"--nope":              "vitaectl: unknown flag: --nope\nvitaectl --help shows the usage.\n",
	} {
		if status, _, stderr := vitaectl(&conntest.Conn{Answer: answer}, "", strings.Fields(line)...); status != exitUsage || stderr != want {
			t.Errorf("%s: status %d\n%s\nwant\n%s", line, status, stderr, want)
		}
	}
}
