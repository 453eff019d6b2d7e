{{/* Names are fixed: the API group, the webhooks and the PriorityClasses exist once a cluster, and so does Berth. */}}

{{- define "berth.labels" -}}
app.kubernetes.io/name: berth
app.kubernetes.io/component: manager
{{- end }}

{{- define "berth.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* A manifest of config/ as it is, but for the namespace. */}}
{{- define "berth.generated" -}}
{{- .root.Files.Get (printf "generated/%s" .file)
  | replace "namespace: berth-system" (printf "namespace: %s" .root.Release.Namespace)
  | replace "berth-webhook.berth-system.svc" (printf "berth-webhook.%s.svc" .root.Release.Namespace) }}
{{- end }}

{{/* The manager's configuration: that of config/manager, under what the values say. */}}
{{- define "berth.config" -}}
{{- $config := .Files.Get "generated/berth.yaml" | fromYaml }}
{{- $config = mergeOverwrite $config (deepCopy .Values.config) (dict "webhook" (dict "certificates" .Values.certificates)) }}
{{- toYaml $config }}
{{- end }}
