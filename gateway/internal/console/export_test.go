package console

// Routes exports routes for tests.
var Routes = routes
