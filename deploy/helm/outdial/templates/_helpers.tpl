{{- define "outdial.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Labels that never change: what selectors ask for. Called with (dict "root" $ "component" "api"). */}}
{{- define "outdial.selector" -}}
app.kubernetes.io/name: outdial
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "outdial.labels" -}}
{{ include "outdial.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "outdial.image" -}}
{{- $image := .image -}}
{{- if $image.digest -}}
{{ printf "%s@%s" $image.repository $image.digest }}
{{- else -}}
{{ printf "%s:%s" $image.repository (default .root.Chart.AppVersion $image.tag) }}
{{- end -}}
{{- end -}}

{{/* OUTDIAL_WORKER_BUILD_ID of the workers of this release. */}}
{{- define "outdial.buildId" -}}
{{- $image := .Values.image -}}
{{- if .Values.worker.versioning.buildId -}}
{{ .Values.worker.versioning.buildId }}
{{- else if $image.digest -}}
{{ $image.digest | trimPrefix "sha256:" | trunc 12 }}
{{- else -}}
{{ default .Chart.AppVersion $image.tag }}
{{- end -}}
{{- end -}}

{{- define "outdial.provider" -}}
{{- default "livekit" .Values.settings.OUTDIAL_PROVIDER -}}
{{- end -}}

{{- define "outdial.publicUrl" -}}
{{- if .Values.settings.OUTDIAL_PUBLIC_URL -}}
{{ .Values.settings.OUTDIAL_PUBLIC_URL }}
{{- else if and .Values.ingress.enabled .Values.ingress.host -}}
https://{{ .Values.ingress.host }}
{{- else if and .Values.httpRoute.enabled .Values.httpRoute.hostnames -}}
https://{{ first .Values.httpRoute.hostnames }}
{{- else -}}
http://{{ include "outdial.name" . }}-api.{{ .Release.Namespace }}.svc:{{ .Values.api.service.port }}
{{- end -}}
{{- end -}}

{{/* A variable from a Secret. (dict "secret" name "name" variable "optional" true) */}}
{{- define "outdial.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .secret }}, key: {{ .name }}{{ if .optional }}, optional: true{{ end }} }
{{- end -}}

{{/* What a role is told. (dict "root" $ "role" "api" "own" (dict of further settings)) */}}
{{- define "outdial.environment" -}}
{{- $root := .root -}}
{{- $role := .role -}}
{{- $secret := $root.Values.secretName -}}
{{- $ofOneRole := dict "OUTDIAL_WORKER_BUILD_ID" "worker" "OUTDIAL_TRUSTED_PROXIES" "api" "OUTDIAL_RATE_LIMIT_PER_SECOND" "api" "OUTDIAL_RATE_LIMIT_BURST" "api" -}}
{{- $told := dict "OUTDIAL_PUBLIC_URL" (include "outdial.publicUrl" $root) -}}
{{- if $root.Values.simulator.enabled -}}
{{- $_ := set $told "OUTDIAL_SIMULATOR_URL" (printf "http://%s-simulator:9070" (include "outdial.name" $root)) -}}
{{- end -}}
{{- range $name, $value := $root.Values.settings -}}
{{- $only := get $ofOneRole $name -}}
{{- /* Agents trace nothing. */ -}}
{{- $untraced := and (eq $role "agent") (hasPrefix "OTEL_" $name) -}}
{{- if and (or (not $only) (eq $only $role)) (not $untraced) -}}
{{- $_ := set $told $name $value -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := .own -}}
{{- $_ := set $told $name $value -}}
{{- end -}}
- { name: OUTDIAL_HOST, value: 0.0.0.0 }
- { name: OUTDIAL_PORT, value: '8080' }
- { name: OUTDIAL_METRICS_HOST, value: 0.0.0.0 }
- { name: OUTDIAL_METRICS_PORT, value: '9464' }
{{- range $name := keys $told | sortAlpha }}
{{- $value := get $told $name }}
- name: {{ $name }}
  {{- /* Helm reads whole numbers as floats, and would write a million as 1e+06. */}}
  {{- if and (kindIs "float64" $value) (eq (floor $value) $value) }}
  value: {{ int64 $value | quote }}
  {{- else }}
  value: {{ $value | quote }}
  {{- end }}
{{- end }}
{{ include "outdial.secretVariable" (dict "secret" $secret "name" "OUTDIAL_DATABASE_URL") }}
{{ include "outdial.secretVariable" (dict "secret" $secret "name" "OUTDIAL_ENCRYPTION_KEYS") }}
{{- $optional := list "TEMPORAL_API_KEY" "OUTDIAL_LIVEKIT_API_KEY" "OUTDIAL_LIVEKIT_API_SECRET" "OUTDIAL_LIVEKIT_REGIONS" -}}
{{- if ne $role "agent" -}}
{{- $optional = append $optional "OTEL_EXPORTER_OTLP_HEADERS" -}}
{{- end -}}
{{- if ne $role "dialer" -}}
{{- $optional = concat $optional (.root.Files.Get "files/provider-keys.txt" | trim | splitList "\n") -}}
{{- end -}}
{{- range $name := $optional }}
{{ include "outdial.secretVariable" (dict "secret" $secret "name" $name "optional" true) }}
{{- end }}
{{- end -}}

{{/* Runs as nobody in particular, writes nowhere but to memory. */}}
{{- define "outdial.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "outdial.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* What the pods of all roles have. (dict "root" $ "component" … "grace" seconds "nodeSelector" … "tolerations" …) */}}
{{- define "outdial.podSettings" -}}
serviceAccountName: {{ .root.Values.serviceAccountName }}
automountServiceAccountToken: false
# Otherwise the addresses of Services would come as variables, some of which look like settings.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ .grace }}
securityContext: {{- include "outdial.podSecurity" . | nindent 2 }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with (.nodeSelector | default .root.Values.nodeSelector) }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with (.tolerations | default .root.Values.tolerations) }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if .root.Values.spreadOverHosts }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "outdial.selector" . | nindent 8 }}
{{- end }}
{{- end -}}

{{/* Alive is a process that answers; ready is one that does its work. A database that is away ends no process. */}}
{{- define "outdial.probes" -}}
startupProbe:
  httpGet: { path: {{ .ready }}, port: {{ .port }} }
  periodSeconds: 5
  # Agents load their models first.
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /livez, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: {{ .ready }}, port: {{ .port }} }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 3
{{- end -}}

{{- define "outdial.podMetadata" -}}
labels:
  {{- include "outdial.labels" . | nindent 2 }}
  {{- with .root.Values.podLabels }}{{ toYaml . | nindent 2 }}{{ end }}
{{- with .root.Values.podAnnotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
