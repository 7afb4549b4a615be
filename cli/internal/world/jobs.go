package world

import (
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func readJob(path string, v any, s *seen, faults *Faults) (Job, bool) {
	r, ok := read(path, v, faults)
	if !ok {
		return Job{}, false
	}
	defer r.end()
	j := Job{
		Path:     path,
		Ref:      r.ref(s.jobs),
		Company:  r.required("company"),
		Closed:   r.boolean("closed"),
		Archived: r.boolean("archived"),
		Request:  &partnercatalogv1.CreateJobRequest{},
	}
	r.rest(j.Request, "companyId", "validateOnly")
	if j.Closed && !j.Live() && !faults.Known(Child(path, "saveAs")) {
		faults.Add(Child(path, "closed"), "requires a live job, but this one is saved as a draft")
	}
	if key := j.Request.GetIdempotencyKey(); key != "" {
		// The service would respond to the second request with the first job.
		s.idempotencyKeys.add(j.Company+"\x00"+key, Child(path, "idempotencyKey"), faults)
	}
	return j, true
}

// Live reports whether the job is published, even if it is closed later.
func (j Job) Live() bool { return j.Request.GetSaveAs() == partnercatalogv1.SaveAs_SAVE_AS_LIVE }
