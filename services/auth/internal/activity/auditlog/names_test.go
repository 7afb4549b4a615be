package auditlog_test

import (
	"context"
	"log/slog"
	"slices"
	"testing"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/services/auth/internal/activity/auditlog"
)

// asked is a name query that the store received.
type asked struct {
	ids     []string
	account string
}

// directory is a fake store that records name queries.
type directory struct {
	*shelf
	asked []asked
}

func (t *table) NamesOf(context.Context, []string, string) ([]auditlog.Name, error) { return nil, nil }

func (d *directory) NamesOf(_ context.Context, ids []string, account string) ([]auditlog.Name, error) {
	d.asked = append(d.asked, asked{ids, account})
	return []auditlog.Name{{ID: ids[0], Name: "A"}}, nil
}

func TestMemberSeesNamesOfTheAccountOnly(t *testing.T) {
	d := &directory{shelf: &shelf{}}
	service, err := auditlog.NewService(auditlog.Config{Store: d, Partitions: d, Clock: clock.NewFake(start), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	events := []audit.Event{
		{Actor: audit.ByPerson("usr_1"), AccountID: "dev_1", AppID: "app_1", Object: audit.Object{Type: "api_key", ID: "key_1"}},
		{Actor: audit.ByPerson("usr_1"), AccountID: "dev_1", PersonID: "usr_2"},
	}
	for _, byMember := range []bool{true, false} {
		d.asked = nil
		named, err := service.Names(t.Context(), auditlog.Search{AccountID: "dev_1", ByMember: byMember}, events)
		if err != nil || len(named) != 1 || len(d.asked) != 1 {
			t.Fatalf("%v, %v, asked %v", named, err, d.asked)
		}
		if want := []string{"app_1", "dev_1", "key_1", "usr_1", "usr_2"}; !slices.Equal(d.asked[0].ids, want) {
			t.Errorf("asked for %v, want %v", d.asked[0].ids, want)
		}
		if (d.asked[0].account == "dev_1") != byMember || (d.asked[0].account == "") == byMember {
			t.Errorf("by a member: %t: asked within %q", byMember, d.asked[0].account)
		}
	}
	d.asked = nil
	if named, err := service.Names(t.Context(), auditlog.Search{ByMember: true}, events); named != nil || err != nil || d.asked != nil {
		t.Errorf("a member of no account: %v, %v, asked %v", named, err, d.asked)
	}
	if named, err := service.Names(t.Context(), auditlog.Search{}, events); len(named) != 1 || err != nil {
		t.Errorf("an operator who names no account: %v, %v", named, err)
	}
	d.asked = nil
	if named, err := service.Names(t.Context(), auditlog.Search{}, []audit.Event{{}}); named != nil || err != nil || d.asked != nil {
		t.Errorf("events without ids: %v, %v, asked %v", named, err, d.asked)
	}
}
