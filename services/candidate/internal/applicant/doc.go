// Package applicant lists a person's own applications: job, time, CV or file, stage, and the
// apps that have read them (behaviour: applications#what-the-applicant-sees). The names of jobs
// come from partnercatalog, the reads from auth, which has the request log.
//
// It must never show an application to anyone but its applicant, nor reveal the name of a masked
// employer.
package applicant
