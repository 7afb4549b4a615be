module vitae.internal/tools/mutate

go 1.26.0
