//go:build upgrade

package upgrade_test

import (
	"slices"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/testkit"
)

// The previous release serves. This one starts alongside it and migrates; gateways of the previous
// one call services of both; each release passes its own end-to-end tests. Then this release is
// rolled back, and the previous one starts again on the new schema.
func TestReleasesServeSideBySide(t *testing.T) {
	s := startServers(t)
	older := s.side(t, "older", programsBefore())
	newer := s.side(t, "newer", suite.Programs)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(older.logs(), newer.logs())
		}
	})
	older.start(t)
	schemas := map[string]int64{}
	for _, name := range stores {
		schemas[name] = s.schema(t, name)
	}
	l := begin(t, older)
	l.more(t, "the release before alone")

	newer.startServices(t)
	for _, name := range stores {
		now := s.schema(t, name)
		t.Logf("%s: schema %d, then %d", name, schemas[name], now)
		if now < schemas[name] {
			t.Errorf("%s: the schema went from %d to %d", name, schemas[name], now)
		}
	}
	l.more(t, "while this release migrated")
	l.stop()
	journey(t, before+"/tree", older)

	l.run(t)
	halfway := halfway(t, older, newer)
	halfway.start(t)
	l.use(t, halfway)
	l.more(t, "gateways of before with services of both")
	newer.start(t)
	l.use(t, newer)
	l.more(t, "both releases")
	l.stop()
	journey(t, expect.Must(testkit.Root())(t), newer)

	l.run(t)
	l.only(t, older)
	l.more(t, "clients have left this release")
	halfway.stop(t)
	newer.stop(t)
	l.more(t, "this release is taken back")
	l.stop()
	older.stop(t)
	older.start(t)
	l.run(t)
	l.more(t, "the release before has started on the schema of this one")
}

// halfway are gateways of the release before in the states of a rollout, which replaces
// auth, partnercatalog, candidate and cvrender in this order and the gateways last.
func halfway(t *testing.T, older, newer *side) *side {
	t.Helper()
	x := older.side(t, "halfway", older.programs)
	x.parts, x.BaseURLs, x.AppURLs, x.LegacyURLs, x.ConsoleURLs = nil, nil, nil, nil, nil
	from, to := targets(older.note.GRPC), targets(newer.note.GRPC)
	var env []string
	for _, service := range []string{"auth", "partnercatalog", "candidate", "cvrender"} {
		env = append(env, from[service])
	}
	for i, service := range []string{"auth", "partnercatalog", "candidate", "cvrender"} {
		env[i] = to[service]
		doors := [4]string{free(t), free(t), free(t), free(t)}
		// Each has its own public addresses, so that no request continues at another.
		x.addGateway(t, "with new "+service, doors, append(slices.Clone(env), "VITAE_BASE_URL=http://"+doors[0], "VITAE_APP_URL=http://"+doors[1],
			"VITAE_LEGACY_BASE_URL=http://"+doors[2], "VITAE_CONSOLE_URL=http://"+doors[3])...)
	}
	x.note.GRPC = newer.note.GRPC
	return x
}
