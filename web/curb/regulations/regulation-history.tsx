import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  listCurbPolicyRevisions,
  type RegulationChange,
  type RegulationRevision,
} from '#contract/curb-regulations.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { formatRegulationField } from './field-text.ts'
import styles from './regulations.module.css'
import type { TextContext } from '../rule-text.ts'

const formatCount = (value: unknown): string => formatInteger(Array.isArray(value) ? value.length : 0)

interface RegulationHistoryProps {
  regionId: string
  regulationId: string
  context: TextContext
}

/** Every change of a regulation, newest first: author, time and changes. */
export function RegulationHistory({ regionId, regulationId, context }: RegulationHistoryProps) {
  const { t } = useTranslation()
  const response = useEndpointQuery(
    listCurbPolicyRevisions,
    { params: { region_id: regionId, curb_policy_id: regulationId } },
    { staleTime: 0 },
  )
  const formatRegulationChange = ({ field, before, after }: RegulationChange): string =>
    field === 'curb_zone_ids'
      ? t('curb:regulations.history.zones', { removed: formatCount(before), added: formatCount(after) })
      : t('policies:view.change', {
          field: t(`curb:regulations.field.${field}`, { defaultValue: field }),
          before: formatRegulationField(context, field, before),
          after: formatRegulationField(context, field, after),
        })
  const formatRevision = ({ time, by_email: email, effective_time: effective }: RegulationRevision): string =>
    [
      t('policies:view.changedBy', {
        when: formatDateTime(time, context.timezone),
        who: email ?? t('policies:view.byServer'),
      }),
      effective === null
        ? null
        : t('curb:regulations.history.effective', { time: formatDateTime(effective, context.timezone) }),
    ]
      .filter((part) => part !== null)
      .join(' · ')
  return (
    <Loaded query={response}>
      {({ items }) => (
        <ol className={styles['history']} reversed aria-label={t('policies:view.history')}>
          {items.map((revision) => (
            <li key={revision.revision}>
              <div className={styles['revision']}>
                <span className={styles['state']} data-act={revision.act}>
                  {t(`curb:regulations.act.${revision.act}`)}
                </span>
                <Text span size="sm" c="dimmed" className="figures">
                  {formatRevision(revision)}
                </Text>
              </div>
              {revision.changes.length ? (
                <ul className={styles['changes']}>
                  {revision.changes.map((change) => (
                    <li key={change.field}>{formatRegulationChange(change)}</li>
                  ))}
                </ul>
              ) : null}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  )
}
