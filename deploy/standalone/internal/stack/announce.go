package stack

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// announce says where everything is and what to do next.
func (s *Stack) announce(out io.Writer, took time.Duration) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	say := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	set := s.settings

	say("\nVitae runs (up after %.1f s).\n", took.Seconds())
	say("  REST edge\t%s\t(%s/.well-known/oauth-authorization-server)", set.BaseURL, set.BaseURL)
	say("  Pages\t%s\t(%s/connections)", set.AppURL, set.AppURL)
	partner, hasPartner := s.world.Partner(set.PartnerURL)
	if hasPartner {
		say("  Partner site\t%s\t(the example, as %q)", set.PartnerURL, partner.Name)
	}
	for i := 1; i < set.Replicas; i++ {
		if e, err := set.Replica(i); err == nil {
			say("  Replica %d\thttp://%s\t(pages http://%s)", i+1, e.PublicAddr, e.AppAddr)
		}
	}
	say("  Operations\thttp://%s\t(/metrics, /healthz, /readyz)", set.OpsAddr)
	say("  gRPC, mTLS\tauth %s, partnercatalog %s, candidate %s, cvrender %s", set.AuthAddr, set.PartnerCatalogAddr, set.CandidateAddr, set.CVRenderAddr)
	say("  Data, log\t%s\t%s", s.dir.Path, s.dir.File("vitae.log"))
	s.announceWorld(say)
	say("\nWhat next")
	if hasPartner && len(s.world.People) > 0 {
		p := s.world.People[0]
		say("  1. Open %s and press \"Sign in with Vitae\".", set.PartnerURL)
		say("  2. Sign in as %s: %s, %s", p.Name, p.Email, p.Password)
		say("  3. Choose a CV, decide on scopes, contact details and photo, press \"Allow\".")
		say("  4. See who signed in, the CV as data, the PDF and the durable link.")
		say("  5. Disconnect at %s/connections, and see them stop working.", set.AppURL)
		if len(s.world.Keys) > 0 {
			say("  6. Act for an employer: curl -H \"Authorization: Bearer %s\" %s/v1/companies", s.world.Keys[0].Key, set.BaseURL)
			say("     and go on as the README says under \"Your first job\".")
		}
	} else {
		say("  bin/vitaectl import FILE fills it; bin/vitaectl --help says what else it does.")
	}
	say("\nCtrl-C stops everything. The data stays; `make clean-data` removes it.")
	_ = w.Flush() // to a terminal that may be gone
}

func (s *Stack) announceWorld(say func(string, ...any)) {
	if len(s.world.People) > 0 {
		say("\nDemo people\te-mail\tpassword")
		for _, p := range s.world.People {
			say("  %s\t%s\t%s", p.Name, p.Email, p.Password)
		}
	}
	if len(s.world.Apps) > 0 {
		say("\nDemo apps\tclient id\tclient secret")
		for _, a := range s.world.Apps {
			secret := a.ClientSecret
			if secret == "" {
				secret = "(" + a.ClientType + ")"
			}
			say("  %s\t%s\t%s", a.Name, a.ClientID, secret)
		}
	}
	if len(s.world.Keys) > 0 {
		say("\nDemo API keys\tkey\tscopes")
		for _, k := range s.world.Keys {
			say("  %s: %s\t%s\t%s", k.App, k.Name, k.Key, strings.Join(k.Scopes, " "))
		}
	}
}
