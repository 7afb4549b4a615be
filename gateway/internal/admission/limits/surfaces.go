package limits

// Surface is a tier as it is shown to developers (behaviour: limits#surface-tiers).
type Surface struct {
	// Name is the name in words, CountedFor who spends of one counter.
	Name, CountedFor string
	Tier             Tier
	// Limit is the name of the surface in the request log, without the suffix of the rate. It
	// is empty for a surface that is limited before the account is known: then nobody's log
	// holds its refusals.
	Limit string
}

// Surfaces are the tiers in the order in which they are shown. A tier without a limit is
// left out.
func (t Tiers) Surfaces() (shown []Surface) {
	for _, s := range []Surface{
		{"/v1 with an API key", "the app, all its keys together", t.APIKey, SurfaceAPIKey},
		{"/v1/me with an access token", "the connection", t.UserToken, SurfaceUserToken},
		{"/oauth/token, /oauth/introspect, /oauth/revoke", "the client", t.OAuth, ""},
		{"/oauth/authorize", "the IP address", t.Authorize, ""},
		{"/v1/cv-links/{token}", "the IP address", t.CVLink, ""},
		{"/v1/photos/{token}", "the IP address", t.Photo, ""},
		{"/resumes", "the IP address", t.Resume, ""},
	} {
		if !s.Tier.off() {
			shown = append(shown, s)
		}
	}
	return shown
}

// Names are the names of the tier's rates in the request log; nil without any.
func (s Surface) Names() []string {
	if s.Limit == "" {
		return nil
	}
	return []string{s.Limit + burstSuffix, s.Limit + sustainedSuffix}
}
