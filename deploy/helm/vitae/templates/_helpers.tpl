{{/* What the chart knows of each part: its port, the parts that it calls, the servers that it needs. */}}
{{- define "vitae.parts" -}}
auth: {port: 9101, calls: [candidate], postgres: true, redis: true, mail: true}
partnercatalog: {port: 9102, calls: [auth], postgres: true}
candidate: {port: 9103, calls: [auth, partnercatalog, cvrender], postgres: true, bucket: true}
cvrender: {port: 9104, calls: [], photos: true}
gateway: {calls: [auth, partnercatalog, candidate, cvrender], redis: true}
{{- end }}

{{/* The doors of the gateway, each with the name of its address in .Values.urls. */}}
{{- define "vitae.doors" -}}
api: {port: 8080, env: VITAE_PUBLIC_ADDR, url: VITAE_BASE_URL}
pages: {port: 8081, env: VITAE_APP_ADDR, url: VITAE_APP_URL}
legacy: {port: 8082, env: VITAE_LEGACY_ADDR, url: VITAE_LEGACY_BASE_URL}
console: {port: 8083, env: VITAE_CONSOLE_ADDR, url: VITAE_CONSOLE_URL}
{{- end }}

{{/* Labels of a part, by which it is selected: (dict "root" $ "part" name). */}}
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

{{/* The image of a part: (dict "root" $ "part" name). A digest wins over the tag. */}}
{{- define "vitae.image" -}}
{{- $repository := printf "%s/%s" .root.Values.image.registry .part -}}
{{- with index .root.Values.image.digests .part -}}
{{ printf "%s@%s" $repository . }}
{{- else -}}
{{ printf "%s:%s" $repository (include "vitae.tag" $.root) }}
{{- end -}}
{{- end }}

{{/* An address of .Values.urls, which has to be there: (dict "root" $ "door" name). */}}
{{- define "vitae.url" -}}
{{- $url := required (printf "urls.%s is required: the https address of the %s" .door .door) (index .root.Values.urls .door) -}}
{{- if not (hasPrefix "https://" $url) -}}
{{- fail (printf "urls.%s must begin with https://" .door) -}}
{{- end -}}
{{ trimSuffix "/" $url }}
{{- end }}

{{/* Where a part finds another: all addresses of a name, over which it spreads its calls. */}}
{{- define "vitae.target" -}}
{{- $parts := include "vitae.parts" .root | fromYaml -}}
{{ printf "dns:///%s-%s.%s.svc:%v" .root.Release.Name .part .root.Release.Namespace (index $parts .part "port") }}
{{- end }}

{{/* The settings of a part that follow from the chart, as a map: (dict "root" $ "part" name). */}}
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
{{- range $door, $at := include "vitae.doors" $root | fromYaml }}
{{ $at.env }}: ":{{ $at.port }}"
{{ $at.url }}: {{ include "vitae.url" (dict "root" $root "door" $door) }}
{{- end }}
{{- if and $root.Values.ingress.enabled (not $root.Values.ingress.proxies) }}
{{- fail "ingress.proxies is required: the networks (CIDR) in which the ingress controller runs" }}
{{- end }}
VITAE_TRUSTED_PROXIES: {{ join "," $root.Values.ingress.proxies | quote }}
{{- end }}
{{- if eq .part "candidate" }}
VITAE_BASE_URL: {{ include "vitae.url" (dict "root" $root "door" "api") }}
{{- end }}
{{- if and (eq .part "auth") .root.Values.addressDatabase.claim }}
VITAE_ADDRESS_DATABASE: {{ printf "/addresses/%s" .root.Values.addressDatabase.file }}
{{- end }}
{{- if eq .part "auth" }}
VITAE_CONSOLE_URL: {{ include "vitae.url" (dict "root" $root "door" "console") }}
{{- end }}
{{- if has .part (list "auth" "candidate") }}
VITAE_APP_URL: {{ include "vitae.url" (dict "root" $root "door" "pages") }}
{{- end }}
{{- end }}

{{/* The settings of a part with those of the values, which win, as env of a container. */}}
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

{{/* The servers of a part whose authority is in a secret, with its name: (dict "root" $ "part" name). */}}
{{- define "vitae.authorities" -}}
{{- $fact := index (include "vitae.parts" .root | fromYaml) .part -}}
{{- range $server, $secret := .root.Values.authorities }}
{{- if and $secret (index $fact $server) }}
{{ $server }}: {{ $secret }}
{{- end }}
{{- end }}
{{- end }}

{{/* What every container may not do. */}}
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
