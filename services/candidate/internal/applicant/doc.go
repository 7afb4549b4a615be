// Package applicant is a person's own applications, as that person sees them: to which job, when,
// with which CV or file, how far it got, and who looked at it
// (behaviour: applications#what-the-applicant-sees). What the job is called comes from
// partnercatalog, and who looked from auth, which has the request log.
//
// It must never show an application to anybody but the person who made it, nor the name of an
// employer who is masked.
package applicant
