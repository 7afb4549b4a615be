package connection_test

import (
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/scope"
)

func TestOnlyGrantedPermissionsCanChange(t *testing.T) {
	t.Parallel()
	all := shared
	all.Granted = scope.Set{"profile", "email", "cv:read", "cv:contact"}
	without := all
	without.Withheld, without.SharePhoto, without.PhotoWithheld = scope.Set{"email", "cv:contact"}, false, true
	legacy := connection.Connection{ID: "con_1", Granted: scope.Set{"profile:read"}, Sharing: true, Legacy: true, SharePhoto: true}
	cvless := connection.Connection{ID: "con_1", Granted: scope.Set{"profile"}, Sharing: true}
	for name, c := range map[string]struct {
		of       connection.Connection
		change   connection.Change
		withheld []string
		photo    bool
		code     string
	}{
		"the address off":               {all, connection.Change{Email: to(false)}, []string{"email"}, true, ""},
		"the address off twice":         {without, connection.Change{Email: to(false)}, []string{"cv:contact", "email"}, false, ""},
		"the address on":                {without, connection.Change{Email: to(true)}, []string{"cv:contact"}, false, ""},
		"the contact details off":       {all, connection.Change{Contact: to(false)}, []string{"cv:contact"}, true, ""},
		"the photo off":                 {all, connection.Change{Photo: to(false)}, nil, false, ""},
		"the photo on":                  {without, connection.Change{Photo: to(true)}, []string{"email", "cv:contact"}, true, ""},
		"the photo of a legacy consent": {legacy, connection.Change{Photo: to(false)}, nil, false, ""},
		"no address was granted":        {cvless, connection.Change{Email: to(true)}, nil, false, "PERMISSION_NOT_GRANTED"},
		"no contact details":            {cvless, connection.Change{Contact: to(true)}, nil, false, "PERMISSION_NOT_GRANTED"},
		"no photo":                      {cvless, connection.Change{Photo: to(true)}, nil, false, "PERMISSION_NOT_GRANTED"},
		"the address of a legacy one":   {legacy, connection.Change{Email: to(false)}, nil, false, "PERMISSION_NOT_GRANTED"},
	} {
		got, err := newService(t, &store{Connection: c.of}, &records{}).Update(t.Context(), "usr_1", "con_1", c.change)
		if c.code != "" {
			if !errs.HasCode(err, c.code) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || !slices.Equal(got.Withheld, c.withheld) || got.SharePhoto != c.photo || !got.PhotoGranted() {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestPauseKeepsItsStartAndEndIsInFuture(t *testing.T) {
	t.Parallel()
	before, later := start.Add(-time.Hour), start.Add(time.Hour)
	paused := shared
	paused.PausedAt, paused.EndsAt = &before, &later
	for name, c := range map[string]struct {
		of           connection.Connection
		change       connection.Change
		paused, ends *time.Time
		field        string
	}{
		"pause":               {shared, connection.Change{Paused: to(true)}, &start, nil, ""},
		"pause again":         {paused, connection.Change{Paused: to(true)}, &before, &later, ""},
		"resume":              {paused, connection.Change{Paused: to(false)}, nil, &later, ""},
		"an end":              {shared, connection.Change{EndsAt: &later}, nil, &later, ""},
		"no end":              {paused, connection.Change{NoEnd: true}, &before, nil, ""},
		"an end that is now":  {shared, connection.Change{EndsAt: &start}, nil, nil, "ends_at"},
		"an end too far away": {shared, connection.Change{EndsAt: to(start.AddDate(11, 0, 0))}, nil, nil, "ends_at"},
		"an end and none":     {shared, connection.Change{EndsAt: &later, NoEnd: true}, nil, nil, "ends_at"},
		"nothing":             {paused, connection.Change{}, &before, &later, ""},
	} {
		got, err := newService(t, &store{Connection: c.of}, &records{}).Update(t.Context(), "usr_1", "con_1", c.change)
		if c.field != "" {
			if e, ok := errs.As(err); !ok || e.Kind != errs.Invalid {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || !same(got.PausedAt, c.paused) || !same(got.EndsAt, c.ends) {
			t.Errorf("%s: paused at %v, ends at %v, %v", name, got.PausedAt, got.EndsAt, err)
		}
	}
}

func same(a, b *time.Time) bool { return a == nil && b == nil || a != nil && b != nil && a.Equal(*b) }
