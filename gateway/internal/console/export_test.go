package console

// Routes are the routes of all subjects.
var Routes = routes
