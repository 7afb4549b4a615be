module vitae.internal/examples/partner-app

go 1.26.0
