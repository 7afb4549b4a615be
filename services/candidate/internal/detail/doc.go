// Package detail returns an application for employers: the stored application with the person's
// current profile, the submitted CV, the person's other CVs and the uploaded resume
// (behaviour: applications#application-detail).
//
// It must never show an application to an app that does not manage its company. Nor must it show
// contact details of the person, except for the account's email address: all content passes through
// package projection.
package detail
