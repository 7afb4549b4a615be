{{/* The port of each service, the services that it calls, and the servers that it needs. */}}
{{- define "vitae.parts" -}}
auth: {port: 9101, calls: [], postgres: true, redis: true, mail: true}
partnercatalog: {port: 9102, calls: [auth], postgres: true}
candidate: {port: 9103, calls: [auth, partnercatalog, cvrender], postgres: true, bucket: true}
cvrender: {port: 9104, calls: [], photos: true}
gateway: {calls: [auth, partnercatalog, candidate, cvrender], redis: true}
{{- end }}

{{/* The gateway's listeners, by their keys in .Values.urls. */}}
{{- define "vitae.listeners" -}}
api: {port: 8080, env: VITAE_PUBLIC_ADDR, url: VITAE_BASE_URL}
pages: {port: 8081, env: VITAE_APP_ADDR, url: VITAE_APP_URL}
legacy: {port: 8082, env: VITAE_LEGACY_ADDR, url: VITAE_LEGACY_BASE_URL}
console: {port: 8083, env: VITAE_CONSOLE_ADDR, url: VITAE_CONSOLE_URL}
{{- end }}

{{/* Labels that select a service: (dict "root" $ "part" name). */}}
{{- define "vitae.selector" -}}
app.kubernetes.io/name: vitae
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "vitae.labels" -}}
{{ include "vitae.selector" . }}
app.kubernetes.io/version: {{ include "vitae.tag" .root | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "vitae.tag" -}}
{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The image of a service: (dict "root" $ "part" name). A digest overrides the tag. */}}
{{- define "vitae.image" -}}
{{- $repository := printf "%s/%s" .root.Values.image.registry .part -}}
{{- with index .root.Values.image.digests .part -}}
{{ printf "%s@%s" $repository . }}
{{- else -}}
{{ printf "%s:%s" $repository (include "vitae.tag" $.root) }}
{{- end -}}
{{- end }}

{{/* A required URL in .Values.urls: (dict "root" $ "listener" name). */}}
{{- define "vitae.url" -}}
{{- $url := required (printf "urls.%s is required: the https address of the %s" .listener .listener) (index .root.Values.urls .listener) -}}
{{- if not (hasPrefix "https://" $url) -}}
{{- fail (printf "urls.%s must begin with https://" .listener) -}}
{{- end -}}
{{ trimSuffix "/" $url }}
{{- end }}

{{/* The gRPC target of a service. Callers balance calls over all its IP addresses. */}}
{{- define "vitae.target" -}}
{{- $parts := include "vitae.parts" .root | fromYaml -}}
{{ printf "dns:///%s-%s.%s.svc:%v" .root.Release.Name .part .root.Release.Namespace (index $parts .part "port") }}
{{- end }}

{{/* The settings of a service that the chart derives, as a map: (dict "root" $ "part" name). */}}
{{- define "vitae.settings" -}}
{{- $root := .root -}}
{{- $fact := index (include "vitae.parts" .root | fromYaml) .part -}}
VITAE_TLS_CA: /certs/ca.crt
VITAE_TLS_CERT: /certs/tls.crt
VITAE_TLS_KEY: /certs/tls.key
VITAE_OPS_ADDR: ":9090"
{{- with $fact.port }}
VITAE_{{ $.part | upper }}_GRPC_ADDR: ":{{ . }}"
{{- end }}
{{- if and $fact.redis .root.Values.authorities.redis }}
VITAE_REDIS_CA: /authorities/redis/ca.crt
{{- end }}
{{- range $fact.calls }}
VITAE_{{ . | upper }}_GRPC_ADDR: {{ include "vitae.target" (dict "root" $root "part" .) }}
{{- end }}
{{- if eq .part "gateway" }}
{{- range $listener, $at := include "vitae.listeners" $root | fromYaml }}
{{ $at.env }}: ":{{ $at.port }}"
{{ $at.url }}: {{ include "vitae.url" (dict "root" $root "listener" $listener) }}
{{- end }}
{{- if and $root.Values.ingress.enabled (not $root.Values.ingress.proxies) }}
{{- fail "ingress.proxies is required: the networks (CIDR) in which the ingress controller runs" }}
{{- end }}
VITAE_TRUSTED_PROXIES: {{ join "," $root.Values.ingress.proxies | quote }}
{{- end }}
{{- if eq .part "candidate" }}
VITAE_BASE_URL: {{ include "vitae.url" (dict "root" $root "listener" "api") }}
{{- end }}
{{- if and (eq .part "auth") .root.Values.addressDatabase.claim }}
VITAE_ADDRESS_DATABASE: {{ printf "/addresses/%s" .root.Values.addressDatabase.file }}
{{- end }}
{{- if eq .part "auth" }}
VITAE_CONSOLE_URL: {{ include "vitae.url" (dict "root" $root "listener" "console") }}
{{- end }}
{{- if has .part (list "auth" "candidate") }}
VITAE_APP_URL: {{ include "vitae.url" (dict "root" $root "listener" "pages") }}
{{- end }}
{{- end }}

{{/* All settings of a service, as env of a container. Settings in the values override derived settings. */}}
{{- define "vitae.env" -}}
{{- $own := index .root.Values.parts .part | default dict -}}
{{- $all := mergeOverwrite (include "vitae.settings" . | fromYaml) .root.Values.config ($own.config | default dict) -}}
{{- range $name, $value := $all }}
- {name: {{ $name }}, value: {{ $value | toString | quote }}}
{{- end }}
{{- end }}

{{- define "vitae.certificates" -}}
name: certs
secret: {secretName: {{ .root.Release.Name }}-{{ .part }}-tls, defaultMode: 0440}
{{- end }}

{{/* The servers of a service whose CA certificate is in a secret, with the secret's name: (dict "root" $ "part" name). */}}
{{- define "vitae.authorities" -}}
{{- $fact := index (include "vitae.parts" .root | fromYaml) .part -}}
{{- range $server, $secret := .root.Values.authorities }}
{{- if and $secret (index $fact $server) }}
{{ $server }}: {{ $secret }}
{{- end }}
{{- end }}
{{- end }}

{{/* The security context of every container. */}}
{{- define "vitae.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "vitae.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
{{- end }}
