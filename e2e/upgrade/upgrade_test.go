//go:build upgrade

package upgrade_test

import (
	"slices"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/testkit"
)

// The previous release is running. This release starts alongside it and migrates the databases;
// gateways of the previous release call services of both; each release passes its own end-to-end tests.
// Then this release is rolled back, and the previous one restarts on the new schema.
func TestReleasesRunSideBySide(t *testing.T) {
	s := startServers(t)
	older := s.deployment(t, "older", programsBefore())
	newer := s.deployment(t, "newer", suite.Programs)
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
	l.more(t, "only the previous release")

	newer.startServices(t)
	for _, name := range stores {
		now := s.schema(t, name)
		t.Logf("%s: schema %d, then %d", name, schemas[name], now)
		if now < schemas[name] {
			t.Errorf("%s: the schema went from %d to %d", name, schemas[name], now)
		}
	}
	l.more(t, "during the migration")
	l.stop()
	journey(t, before+"/tree", older)

	l.run(t)
	halfway := halfway(t, older, newer)
	halfway.start(t)
	l.use(t, halfway)
	l.more(t, "previous gateways with services of both releases")
	newer.start(t)
	l.use(t, newer)
	l.more(t, "both releases")
	l.stop()
	journey(t, expect.Must(testkit.Root())(t), newer)

	l.run(t)
	l.only(t, older)
	l.more(t, "clients have switched back")
	halfway.stop(t)
	newer.stop(t)
	l.more(t, "this release is rolled back")
	l.stop()
	older.stop(t)
	older.start(t)
	l.run(t)
	l.more(t, "the previous release on the new schema")
}

// halfway returns a deployment with gateways of the previous release, one for each state of a rollout. A
// rollout replaces auth, partnercatalog, candidate and cvrender, in this order, and the gateways last.
func halfway(t *testing.T, older, newer *deployment) *deployment {
	t.Helper()
	x := older.deployment(t, "halfway", older.programs)
	x.processes, x.BaseURLs, x.AppURLs, x.LegacyURLs, x.ConsoleURLs = nil, nil, nil, nil, nil
	from, to := targets(older.note.GRPC), targets(newer.note.GRPC)
	var env []string
	for _, service := range []string{"auth", "partnercatalog", "candidate", "cvrender"} {
		env = append(env, from[service])
	}
	for i, service := range []string{"auth", "partnercatalog", "candidate", "cvrender"} {
		env[i] = to[service]
		listeners := [4]string{free(t), free(t), free(t), free(t)}
		// Each gateway has its own public URLs, so no request continues on a different gateway.
		x.addGateway(t, "with new "+service, listeners, append(slices.Clone(env), "VITAE_BASE_URL=http://"+listeners[0], "VITAE_APP_URL=http://"+listeners[1],
			"VITAE_LEGACY_BASE_URL=http://"+listeners[2], "VITAE_CONSOLE_URL=http://"+listeners[3])...)
	}
	x.note.GRPC = newer.note.GRPC
	return x
}
