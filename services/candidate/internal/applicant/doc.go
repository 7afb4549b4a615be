// Package applicant lists a person's own applications, each with its job, time, CV or file, stages,
// and the apps that have read it (behaviour: applications#what-the-applicant-sees). The names of
// jobs come from the partnercatalog service. The reads come from the auth service, which stores the
// request log.
//
// It must never show an application to anyone but its applicant, or reveal the name of a masked
// employer.
package applicant
