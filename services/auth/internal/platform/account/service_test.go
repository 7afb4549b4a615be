package account_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/platform/account"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// cutOff limits calls that are made while Redis doesn't respond.
const cutOff = 300 * time.Millisecond

func faults(err error) (fields []string) {
	if e, ok := errs.As(err); ok {
		for _, v := range e.Violations {
			fields = append(fields, v.Field)
		}
	}
	return fields
}

func TestInvalidAccountIsRejected(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	custom := func(perMinute, perDay int32) account.Plan {
		return account.Plan{Name: account.Custom, PerMinute: perMinute, PerDay: perDay}
	}
	for name, c := range map[string]struct {
		creation account.Creation
		want     []string
	}{
		"in order":              {account.Creation{Name: "Partner", Email: "dev@partner.example", Plan: account.Plan{Name: account.Standard}}, nil},
		"the smallest budget":   {account.Creation{Name: "Partner", Email: "dev@partner.example", Plan: custom(1, 1)}, nil},
		"nothing in a minute":   {account.Creation{Name: "Partner", Email: "dev@partner.example", Plan: custom(0, 1)}, []string{"plan.per_minute"}},
		"nothing in a day":      {account.Creation{Name: "Partner", Email: "dev@partner.example", Plan: custom(1, 0)}, []string{"plan.per_day"}},
		"a name of two lines":   {account.Creation{Name: "a\nb", Email: "dev@partner.example", Plan: custom(1, 1)}, []string{"name"}},
		"a figure of no budget": {account.Creation{Name: "Partner", Email: "dev@partner.example", Plan: account.Plan{Name: account.Elevated, PerDay: -1}}, nil},
	} {
		c.creation.Email = "dev@partner.example"
		for _, dry := range []bool{false, true} {
			c.creation.ValidateOnly = dry
			made, err := w.Accounts.CreateAccount(t.Context(), c.creation)
			if got := faults(err); !slices.Equal(got, c.want) || err != nil && c.want == nil {
				t.Errorf("%s, dry %t: faults of %v, want %v (%v)", name, dry, got, c.want, err)
			}
			if (made.ID != "") != (!dry && c.want == nil) {
				t.Errorf("%s, dry %t: %+v", name, dry, made)
			}
			if _, err := w.Accounts.SetPlan(t.Context(), "dev_none", c.creation.Plan); c.want != nil && c.want[0] != "name" && !slices.Equal(faults(err), c.want) {
				t.Errorf("%s: with a different plan: %v", name, err)
			}
		}
	}
}

func TestAccountIsCreatedAsRequested(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	made, err := w.Accounts.CreateAccount(t.Context(), account.Creation{Name: "Partner", Email: "dev@partner.example", Plan: account.Plan{Name: account.Elevated}})
	w.Must(err)
	got, err := w.Accounts.Account(t.Context(), made.ID)
	w.Must(err)
	want := account.Account{ID: made.ID, Name: "Partner", Email: "dev@partner.example", Plan: account.Plan{Name: account.Elevated}, CreatedAt: authtest.Start}
	if got.CreatedAt = got.CreatedAt.UTC(); got != want || made != want {
		t.Errorf("made %+v, stored %+v", made, got)
	}
}

func TestSuspensionReasonIsUpdated(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account := w.Confidential().AccountID
	suspend := func(reason, want string) {
		t.Helper()
		a, err := w.Accounts.Suspend(t.Context(), account, reason)
		w.Must(err)
		read, err := w.Accounts.Account(t.Context(), account)
		w.Must(err)
		if a.SuspensionReason != want || read.SuspensionReason != want {
			t.Errorf("after %q: %q, then %q, want %q", reason, a.SuspensionReason, read.SuspensionReason, want)
		}
	}
	suspend("First.", "First.")
	suspend("", "First.")
	suspend("Second.", "Second.")
	resumed, err := w.Accounts.Resume(t.Context(), account)
	if err != nil || resumed.SuspensionReason != "" {
		t.Errorf("resumed: %q, %v", resumed.SuspensionReason, err)
	}
	suspend("", "")
	if _, err := w.Accounts.Suspend(t.Context(), account, "a\x00b"); errs.KindOf(err) != errs.Invalid {
		t.Errorf("a reason that cannot be stored: %v", err)
	}
}

func TestAccountChangeWaitsForTheRecords(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	accountID := w.Confidential().AccountID
	custom := account.Plan{Name: account.Custom, PerMinute: 1, PerDay: 2}
	for _, c := range []struct {
		name      string
		change    func(context.Context) (account.Account, error)
		suspended bool
		plan      account.Plan
	}{
		{"suspend", func(ctx context.Context) (account.Account, error) { return w.Accounts.Suspend(ctx, accountID, "") }, true, account.Plan{Name: account.Standard}},
		{"plan", func(ctx context.Context) (account.Account, error) {
			return w.Accounts.SetPlan(ctx, accountID, custom)
		}, true, custom},
		{"resume", func(ctx context.Context) (account.Account, error) { return w.Accounts.Resume(ctx, accountID) }, false, custom},
	} {
		w.Records.Reset()
		changed, err := c.change(t.Context())
		w.Must(err)
		stored, err := w.Accounts.Account(t.Context(), accountID)
		w.Must(err)
		for _, got := range []account.Account{changed, stored} {
			if got.ID != accountID || (got.SuspendedAt != nil) != c.suspended || got.Plan != c.plan {
				t.Errorf("%s: %+v", c.name, got)
			}
		}
		if !w.Records.ForgotAccount(accountID) {
			t.Errorf("%s: the account's session records were not deleted", c.name)
		}
		w.Records.Break(errors.New("Redis is down"))
		ctx, cancel := context.WithTimeout(t.Context(), cutOff)
		if _, err := c.change(ctx); errs.KindOf(err) != errs.Unavailable {
			t.Errorf("%s: while Redis is down: %v", c.name, err)
		}
		cancel()
		w.Records.Break(nil)
	}
}

func TestPlanBudgets(t *testing.T) {
	t.Parallel()
	plans := account.Plans{
		Standard: account.Plan{Name: account.Standard, PerMinute: 1}, Elevated: account.Plan{Name: account.Elevated, PerMinute: 2},
	}
	custom := account.Plan{Name: account.Custom, PerMinute: 3, PerDay: 4}
	for stored, want := range map[account.Plan]account.Plan{
		{Name: account.Standard}: plans.Standard, {Name: account.Elevated}: plans.Elevated, custom: custom,
	} {
		if got := plans.Of(stored); got != want {
			t.Errorf("%s: %+v", stored.Name, got)
		}
	}
}
