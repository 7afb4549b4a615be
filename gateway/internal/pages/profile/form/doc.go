// Package form is the form in which a person edits a profile or a CV: its controls, what
// they hold, and what a form that comes back says. The names of controls follow the
// contract (`experiences.3.title` is the title of the entry with the key 3), so one table
// describes the form, and both directions go through it.
//
// It checks nothing: candidate does, and Control finds the control that a fault is about.
// It never renders, and never calls another part.
package form
