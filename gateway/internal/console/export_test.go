package console

import "vitae.internal/gateway/internal/web"

// Routes returns the routes of the console.
func Routes() []web.Route { return (&Console{}).routes() }
