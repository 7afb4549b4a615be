package activity_test

import (
	"maps"
	"testing"

	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/platform/team"
)

// A name reveals that a person or an app exists. Members must therefore see only names in their own account,
// whatever ids its audit log contains.
func TestNamesAreForAuthorizedReaders(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	console := authtest.ConsoleApp(w)
	var everything []string
	own := make([]map[string]auditlog.Name, 3)
	for i := range own {
		a, p := w.Confidential(), w.Person()
		authtest.Joins(w, a.AccountID, p, team.Owner)
		key, _ := w.Key(a, "jobs:read")
		invited := authtest.Invites(w, a.AccountID, "new@partner.example")
		called := "Person " + p
		w.Must(authtest.OpenConsole(w, called, w.Tokens(p, console, "profile").Access))
		_, err := w.Pool.Exec(t.Context(), "UPDATE accounts SET name = 'Account ' || id WHERE id = $1", a.AccountID)
		w.Must(err)
		_, err = w.Pool.Exec(t.Context(), "UPDATE apps SET name = 'App ' || id WHERE id = $1", a.App.ID)
		w.Must(err)
		_, err = w.Pool.Exec(t.Context(), "UPDATE api_keys SET name = 'Key ' || id WHERE id = $1", key)
		w.Must(err)
		own[i] = map[string]auditlog.Name{
			p: {ID: p, Name: called}, a.AccountID: {ID: a.AccountID, Name: "Account " + a.AccountID}, a.App.ID: {ID: a.App.ID, Name: "App " + a.App.ID},
			key: {ID: key, Name: "Key " + key}, invited.ID: {ID: invited.ID, Name: "new@partner.example"},
		}
		for id := range own[i] {
			everything = append(everything, id)
		}
		// The names of these objects are not requested.
		w.Key(a, "jobs:read")
		authtest.Joins(w, a.AccountID, w.Person(), team.Viewer)
		authtest.Invites(w, a.AccountID, "another@partner.example")
		if i == 1 {
			authtest.DeleteKey(w, key)
			own[i][key] = auditlog.Name{ID: key, Name: "Key " + key, Ended: true}
		}
		if i == 2 { // this person's profile has no name
			_, err := w.Pool.Exec(t.Context(), "UPDATE console_names SET name = '' WHERE person_id = $1", p)
			w.Must(err)
			own[i][p] = auditlog.Name{ID: p, Name: p + "@example.com"}
		}
	}
	all := map[string]auditlog.Name{}
	for _, names := range own {
		maps.Copy(all, names)
	}
	asked := map[string]map[string]auditlog.Name{"": all}
	for _, names := range own {
		for id := range names {
			if id[:4] == "dev_" {
				asked[id] = names
			}
		}
	}
	for account, want := range asked {
		found, err := w.Stores.Audit.NamesOf(t.Context(), everything, account)
		w.Must(err)
		got := map[string]auditlog.Name{}
		for _, n := range found {
			got[n.ID] = n
		}
		if len(found) != len(want) || !maps.Equal(got, want) {
			t.Errorf("for the account %q: %+v, want %+v", account, found, want)
		}
	}
}
