// Package applicant lists a person's own applications with job, time, CV or file, stage, and the
// apps that have read them (behaviour: applications#what-the-applicant-sees). The names of jobs
// come from partnercatalog. The reads come from auth, which stores the request log.
//
// It must never show an application to anyone but its applicant, or reveal the name of a masked
// employer.
package applicant
