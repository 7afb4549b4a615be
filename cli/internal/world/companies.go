package world

import (
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func readCompany(path string, v any, s *seen, faults *Faults) (Company, bool) {
	r, ok := read(path, v, faults)
	if !ok {
		return Company{}, false
	}
	defer r.end()
	c := Company{
		Path:      path,
		Ref:       r.ref(s.companies),
		App:       r.required("app"),
		Published: r.flag("published"),
		Verified:  r.flag("verified"),
		Request:   &partnercatalogv1.CreateCompanyRequest{},
	}
	r.rest(c.Request, "validateOnly")
	s.slugs.add(c.Request.GetSlug(), Child(path, "slug"), faults)
	if id := c.Request.GetExternalId(); id != "" {
		s.externalIDs.add(c.App+"\x00"+id, Child(path, "externalId"), faults)
	}
	return c, true
}
