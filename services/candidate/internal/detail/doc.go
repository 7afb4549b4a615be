// Package detail is an application in full, as the hiring side reads it (spec:
// Application, full detail): the stored application with the person's profile as
// of now, the CV as it was submitted, their other CVs and the uploaded resume.
//
// It must never show an application to an app that does not manage its company,
// nor contact details of the person other than the account's address: all
// content passes package projection.
package detail
