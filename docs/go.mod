module vitae.internal/docs

go 1.26.0
