import { Button, Group, Text, Textarea, Title } from '@mantine/core'
import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck, IconMessagePlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { acknowledgeIncident, commentIncident, type Incident, listIncidents } from '#contract/incidents.ts'
import { type IncidentRule, incidentRules } from '#contract/incident-rules.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime, formatNumber, formatInteger } from '#web/kit/format.ts'
import { useMe } from '#web/shell/me.tsx'
import styles from './incident-card.module.css'

/**
 * Formats the figure of an incident in the unit of its rule. Hours and minutes may exceed the duration of the
 * incident, because what they count began earlier; their texts say since when.
 */
export function formatIncidentValue(t: TFunction, rule: IncidentRule, value: number): string {
  const { unit } = incidentRules[rule]
  return unit === 'percent' || unit === 'promises'
    ? t(`health:unit.${unit}`, { shown: formatNumber(value) })
    : t(`health:unit.${unit === 'hours' ? 'gap' : unit}`, {
        count: Math.round(value),
        shown: formatInteger(value),
      })
}

/** Focuses the field when it is opened. */
const focusOnMount = (field: HTMLTextAreaElement | null): void => field?.focus()

const severityIcons = { critical: IconAlertOctagon, warning: IconAlertTriangle } as const

/** An incident: its rule, severity, timeline, and who handles it. */
export function IncidentCard({ incident, timezone }: { incident: Incident; timezone: string }) {
  const { t } = useTranslation()
  // Users limited to some operators can only read.
  const canRespond = useMe().user.operators === null
  const acknowledge = useEndpointMutation(acknowledgeIncident, [listIncidents])
  const comment = useEndpointMutation(commentIncident, [listIncidents])
  const {
    rule,
    severity,
    closed_time: closed,
    opened_time: opened,
    feed_name: feedName,
    value,
    worst,
    acknowledged_by: handledBy,
  } = incident
  const params = { region_id: incident.region_id, incident_id: incident.incident_id }
  const Icon = closed ? IconCircleCheck : severityIcons[severity]
  const name = t(`health:rules.${rule}.name`)
  const spanText = closed
    ? t('health:incidents.span', {
        from: formatDateTime(opened, timezone),
        to: formatDateTime(closed, timezone),
      })
    : t('health:incidents.since', { time: formatDateTime(opened, timezone) })
  const error = acknowledge.error ?? comment.error
  return (
    <article className={styles['card']} aria-label={name}>
      <div className={styles['head']}>
        <span className={styles['mark']} data-state={closed ? 'closed' : severity}>
          <Icon size={14} aria-hidden="true" />
          {closed ? t('health:incidents.isClosed') : t(`health:incidents.${severity}`)}
        </span>
        <Title order={3} className={styles['title'] ?? ''}>
          {name}
        </Title>
        {closed || handledBy || !canRespond ? null : (
          <Button
            size="compact-xs"
            variant="default"
            loading={acknowledge.isPending}
            onClick={() => acknowledge.mutate({ params })}
          >
            {t('health:incidents.acknowledge')}
          </Button>
        )}
      </div>
      <Text size="xs" c="dimmed">
        {[
          ...(feedName ? [feedName] : []),
          spanText,
          ...(value === null || closed
            ? []
            : [t('health:incidents.now', { value: formatIncidentValue(t, rule, value) })]),
          ...(worst === null
            ? []
            : [t('health:incidents.worst', { value: formatIncidentValue(t, rule, worst) })]),
        ].join(' · ')}
      </Text>
      <Text size="sm">{t(`health:rules.${rule}.opens`)}</Text>
      {handledBy ? <Text size="sm">{t('health:incidents.by', { name: handledBy })}</Text> : null}
      <details className={styles['more']} open={!closed || undefined}>
        <summary>{t('health:incidents.timeline')}</summary>
        {closed ? null : (
          <Text size="xs" c="dimmed">
            {t('health:incidents.closes', { text: t(`health:rules.${rule}.closes`) })}
          </Text>
        )}
        <IncidentSteps incident={incident} timezone={timezone} />
        {canRespond ? (
          <CommentField
            isPending={comment.isPending}
            onComment={(text, onSuccess) => comment.mutate({ params, body: { text } }, { onSuccess })}
          />
        ) : null}
      </details>
      {error ? <FailedState error={error} title={t('health:incidents.failed')} /> : null}
    </article>
  )
}

/** What happened, with times and authors. */
function IncidentSteps({ incident: { rule, steps }, timezone }: { incident: Incident; timezone: string }) {
  const { t } = useTranslation()
  return (
    <ol className={styles['steps']}>
      {steps.map((step, index) => (
        <li key={index} data-step={step.step}>
          <time dateTime={step.at}>{formatDateTime(step.at, timezone)}</time>
          <span>
            <strong>
              {step.by
                ? t('health:step.by', { step: t(`health:step.${step.step}`), name: step.by })
                : t(`health:step.${step.step}`)}
            </strong>
            {step.value === null ? null : ` · ${formatIncidentValue(t, rule, step.value)}`}
            {step.text ? <span className={styles['text']}>{step.text}</span> : null}
          </span>
        </li>
      ))}
    </ol>
  )
}

interface CommentFieldProps {
  isPending: boolean
  onComment: (text: string, onSuccess: () => void) => void
}

/** A button that opens a field for a comment. */
function CommentField({ isPending, onComment }: CommentFieldProps) {
  const { t } = useTranslation()
  /** Null while no comment is being written. */
  const [text, setText] = useState<string | null>(null)
  return text === null ? (
    <Button
      size="compact-xs"
      variant="subtle"
      leftSection={<IconMessagePlus size={14} />}
      onClick={() => setText('')}
    >
      {t('health:incidents.addComment')}
    </Button>
  ) : (
    <>
      <Textarea
        ref={focusOnMount}
        label={t('health:incidents.comment')}
        size="xs"
        rows={2}
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="xs" mt="xs">
        <Button size="compact-xs" variant="subtle" onClick={() => setText(null)}>
          {t('kit:cancel')}
        </Button>
        <Button
          size="compact-xs"
          disabled={text.trim() === ''}
          loading={isPending}
          onClick={() => onComment(text, () => setText(null))}
        >
          {t('health:incidents.addComment')}
        </Button>
      </Group>
    </>
  )
}
