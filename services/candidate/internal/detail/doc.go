// Package detail is an application in full, as employers read it: the stored
// application with the person's profile as of now, the CV as it was submitted, the
// person's other CVs and the uploaded resume
// (behaviour: applications#application-detail).
//
// It must never show an application to an app that does not manage its company. It must
// never show contact details of the person other than the address of the account: all
// content passes through package projection.
package detail
