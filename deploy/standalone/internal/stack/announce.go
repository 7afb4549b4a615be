package stack

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"vitae.internal/deploy/standalone/internal/datadir"
	"vitae.internal/deploy/standalone/internal/demo"
	"vitae.internal/pkg/relyingparty"
)

// announcer writes a line whose columns are separated by tabs.
type announcer func(format string, args ...any)

// announce prints all URLs and addresses, the seeded credentials, and what to do next.
func (s *Stack) announce(out io.Writer, took time.Duration) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	say := announcer(func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) })
	say("\nVitae is running (started in %.1f s).\n", took.Seconds())
	s.announcePlaces(say)
	s.announceWorld(say)
	s.announceNext(say)
	say("\nCtrl-C stops everything. The data stays; `%smake clean-data` removes it.", s.inDataDir())
	_ = w.Flush() // the terminal may be closed
}

func (s *Stack) announcePlaces(say announcer) {
	set := s.settings
	say("  REST API\t%s\t(%s/.well-known/oauth-authorization-server)", set.BaseURL, set.BaseURL)
	say("  Pages\t%s\t(%s/connections)", set.AppURL, set.AppURL)
	if party, ok := relyingparty.Of(set.AppURL); ok && !party.Named {
		say("  Pages, by name\t%s\t(use this address for passkeys, which need a host name)", party.Origin)
	}
	say("  Older interface\t%s\t(for apps with access to it; %s/docs/older-interface)", set.LegacyBaseURL, set.AppURL)
	say("  Console\t%s\t(sign in as one of the people below)", set.ConsoleURL)
	if partner, runs := s.world.Partner(set.PartnerURL); runs {
		say("  Partner site\t%s\t(example of a partner, app %q)", set.PartnerURL, partner.Name)
	} else {
		say("  Partner site\tnot running\t(no seeded confidential app can redirect to %s)", set.PartnerURL)
	}
	for i := 1; i < set.Replicas; i++ {
		if e, err := set.Replica(i); err == nil {
			say("  Replica %d\thttp://%s\t(pages http://%s, older interface http://%s, console http://%s)",
				i+1, e.PublicAddr, e.AppAddr, e.LegacyAddr, e.ConsoleAddr)
		}
	}
	say("  Operations\thttp://%s\t(/metrics, /healthz, /readyz)", set.OpsAddr)
	say("  gRPC, mTLS\tauth %s, partnercatalog %s, candidate %s, cvrender %s", set.AuthAddr, set.PartnerCatalogAddr, set.CandidateAddr, set.CVRenderAddr)
	if s.plan.Base["VITAE_SMTP_URL"] == "" {
		say("  Mail\t%s\t(each email is a file there)", s.dir.File(datadir.MailFolder))
	}
	say("  Data, log\t%s\t%s", s.dir.Path, s.dir.File("vitae.log"))
	if s.platformIsOff() {
		say("\nThe developer platform is off (VITAE_DEVELOPER_PLATFORM): partners get 404 DEVELOPER_PLATFORM_DISABLED everywhere.")
	}
}

func (s *Stack) announceWorld(say announcer) {
	if len(s.world.People) > 0 {
		say("\nPeople\temail\tpassword")
		for _, p := range s.world.People {
			say("  %s\t%s\t%s", p.Name, p.Email, p.Password)
		}
	}
	if len(s.world.Developers) > 0 {
		say("\nDeveloper accounts\taccount id\tmembers")
		for _, d := range s.world.Developers {
			say("  %s\t%s\t%s", d.Name, d.ID, strings.Join(d.Members, ", "))
		}
	}
	if len(s.world.Apps) > 0 {
		say("\nApps\tapp id\tclient id\tclient secret")
		for _, a := range s.world.Apps {
			secret := a.ClientSecret
			if secret == "" {
				secret = "(" + a.ClientType + ")"
			}
			say("  %s\t%s\t%s\t%s", a.Name, a.ID, a.ClientID, secret)
		}
	}
	if len(s.world.Keys) > 0 {
		say("\nAPI keys\tkey\tscopes")
		for _, k := range s.world.Keys {
			say("  %s: %s\t%s\t%s", k.App, k.Name, k.Key, strings.Join(k.Scopes, " "))
		}
	}
	if !s.world.IsEmpty() {
		say("\nAll seeded ids, including companies, jobs and applications: %s", s.dir.File(demo.Printed))
	}
}

func (s *Stack) announceNext(say announcer) {
	say("\nWhat next")
	ctl := s.inDataDir() + "bin/vitaectl"
	_, partnerRuns := s.world.Partner(s.settings.PartnerURL)
	switch {
	case s.platformIsOff():
		say("  - Unset VITAE_DEVELOPER_PLATFORM to sign in at a partner's site and use the API.")
	case s.world.IsEmpty():
		say("  - %s import FILE adds people, apps and jobs (docs/world-file.md).", ctl)
	default:
		if partnerRuns && len(s.world.People) > 0 {
			p := s.world.People[0]
			say("  - Open %s and press \"Sign in with Vitae\".", s.settings.PartnerURL)
			say("    Sign in as %s: %s, %s", p.Name, p.Email, p.Password)
			say("    Choose a CV, decide on contact details and photo, and press \"Allow\".")
			say("    See who signed in, the CV as data, the PDF and the durable link.")
			say("    Disconnect at %s/connections: all of it stops working.", s.settings.AppURL)
		}
		if len(s.world.Keys) > 0 {
			say("  - Act for an employer: curl -H \"Authorization: Bearer %s\" %s/v1/companies", s.world.Keys[0].Key, s.settings.BaseURL)
			say("    Continue with \"Your first job\": %s/docs/first-job", s.settings.AppURL)
		}
		if len(s.world.People) > 0 {
			say("  - Open the developer console at %s, sign in as one of the people above,", s.settings.ConsoleURL)
			say("    and see the apps, keys, requests and limits of their accounts, or create an account.")
		}
	}
	say("  - Manage it: %s --help", ctl)
}

func (s *Stack) platformIsOff() bool { return s.plan.Base["VITAE_DEVELOPER_PLATFORM"] == "off" }

// inDataDir returns the variable assignment that a command line needs if the data folder is not the default one.
func (s *Stack) inDataDir() string {
	if usual, err := filepath.Abs(".vitae"); err == nil && usual == s.dir.Path {
		return ""
	}
	path := s.dir.Path
	if strings.ContainsAny(path, " \t'\"\\$`&;()<>|*?[]#~!") {
		path = "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return "VITAE_DATA_DIR=" + path + " "
}
