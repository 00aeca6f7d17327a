import { CloseButton, Group, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CdsPolicyContent } from '#contract/cds.ts'
import type { CurbImportRow } from '#contract/curb-imports.ts'
import { Badge } from '#web/kit/badge.tsx'
import { formatPercent } from '#web/kit/format.ts'
import styles from './imports.module.css'
import { formatCdsPolicy } from '../rule-text.ts'
import { useTextContext } from '../use-text-context.ts'

/** The signs from which the rules of a stretch of curb were derived. */
interface SourceSign {
  id: string
  text: string
  arrow: string
  meters: number
}

const readSigns = (source: unknown): SourceSign[] | null => {
  const signs = (source as { signs?: unknown } | null)?.signs
  return Array.isArray(signs) ? (signs as SourceSign[]) : null
}

/** What was derived from a record: an area or curb with policies, or a single policy. */
interface StagedRecord {
  policies?: CdsPolicyContent[]
  policyIds?: string[]
  policy?: CdsPolicyContent
}

/** A row of an import: its findings, its source record, and the rules derived from it. */
export function ImportRowDetails({ row, onClose }: { row: CurbImportRow; onClose: () => void }) {
  const { t } = useTranslation()
  const context = useTextContext()
  const staged = row.staged as StagedRecord | null
  const policies = staged?.policy ? [staged.policy] : (staged?.policies ?? [])
  const signs = readSigns(row.source)
  return (
    <section aria-label={t('curb:imports.rowNumber', { row: row.row })}>
      <Group justify="space-between" mb="xs">
        <Group gap="sm">
          <Title order={3}>{row.record_id}</Title>
          <OutcomeBadge outcome={row.outcome} />
          {row.confidence === null ? null : (
            <Text size="sm">{t('curb:imports.confidence', { share: formatPercent(row.confidence) })}</Text>
          )}
        </Group>
        <CloseButton aria-label={t('curb:imports.closeRow')} onClick={onClose} />
      </Group>
      <div className={styles['compare']}>
        <div>
          <Title order={4}>{t(signs ? 'curb:imports.signs' : 'curb:imports.sourceRecord')}</Title>
          {signs ? (
            <ul>
              {signs.map((sign) => (
                <li key={`${sign.id} ${sign.meters}`}>
                  {t('curb:imports.sign', {
                    text: sign.text,
                    arrow: t(`curb:imports.arrow.${sign.arrow}`),
                    meters: sign.meters,
                  })}
                </li>
              ))}
            </ul>
          ) : (
            // A long record scrolls, also by keyboard.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            <pre className={styles['source']} tabIndex={0}>
              {typeof row.source === 'string' ? row.source : JSON.stringify(row.source, null, 1)}
            </pre>
          )}
        </div>
        <div>
          <Title order={4}>{t('curb:imports.rules')}</Title>
          {policies.length || staged?.policyIds?.length ? (
            <ul>
              {policies.map((policy) => (
                <li key={JSON.stringify(policy)}>{formatCdsPolicy(policy, context)}</li>
              ))}
              {(staged?.policyIds ?? []).map((id) => (
                <li key={id}>{t('curb:imports.policyId', { id })}</li>
              ))}
            </ul>
          ) : (
            <Text c="dimmed">{t('curb:imports.noRules')}</Text>
          )}
          <Title order={4} mt="sm">
            {t('curb:imports.findings')}
          </Title>
          {row.findings.length ? (
            <ul>
              {row.findings.map(({ code, field, message, effect }) => (
                <li key={`${code} ${field} ${message}`}>
                  <strong>{t(`curb:imports.effect.${effect}`)}</strong> {message}
                  {field ? ` (${field})` : ''}
                </li>
              ))}
            </ul>
          ) : (
            <Text c="dimmed">{t('curb:imports.noFindings')}</Text>
          )}
        </div>
      </div>
    </section>
  )
}

const outcomeTones = { accepted: 'green', repaired: 'amber', refused: 'red' } as const

/** The outcome of a row: accepted, repaired or refused. */
export function OutcomeBadge({ outcome }: { outcome: CurbImportRow['outcome'] }) {
  const { t } = useTranslation()
  return <Badge tone={outcomeTones[outcome]} text={t(`curb:imports.outcome.${outcome}`)} />
}
