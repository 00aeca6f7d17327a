import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Period } from '#web/filters/period.ts'
import { formatChange } from '#web/map-page/by-shape/format-value.ts'
import { formatInteger } from '#web/kit/format.ts'
import { formatPolicyType } from '#web/policies/type-text.ts'
import styles from './compliance.module.css'
import { DaysSpark } from '#web/policies/results/days-spark.tsx'
import { DeletedMark } from '#web/policies/results/deleted-mark.tsx'
import { JudgementMark } from '#web/policies/results/judgement-mark.tsx'
import { rowLink } from './summary-columns.tsx'
import type { SummaryRow } from './summary-rows.ts'

interface Props {
  regionId: string
  rows: readonly SummaryRow[]
  period: Period
  hasDetails: boolean
}

/** The summary on a phone: one card per policy and operator, most violations first. */
export function SummaryCards({ regionId, rows, period, hasDetails }: Props) {
  const { t } = useTranslation()
  return (
    <ul className={styles['cards']} aria-label={t('compliance:table.label')}>
      {rows
        .toSorted((a, b) => b.current.violationCount - a.current.violationCount)
        .map((row) => (
          <li key={row.key} className={styles['card']}>
            <div className={styles['cardHead']}>
              <span>
                {hasDetails ? (
                  <Link className={styles['name']} {...rowLink(regionId, row, period)}>
                    {row.policyName}
                  </Link>
                ) : (
                  <strong>{row.policyName}</strong>
                )}
                {row.isDeleted ? <DeletedMark /> : null}
              </span>
              <JudgementMark status={row.current.status} />
            </div>
            <p className={styles['quiet']}>
              {formatPolicyType(t, row.policyType)} · {row.operatorName}
            </p>
            <div className={styles['cardHead']}>
              <p className="figures">
                {t('compliance:card.days', {
                  count: row.current.daysCount,
                  shown: formatInteger(row.current.daysCount),
                })}{' '}
                ·{' '}
                {t('compliance:card.violations', {
                  count: row.current.violationCount,
                  shown: formatInteger(row.current.violationCount),
                })}
                {row.before
                  ? ` (${formatChange(row.current.violationCount - row.before.violationCount, 0)})`
                  : ''}
              </p>
              <DaysSpark days={row.current.days} />
            </div>
          </li>
        ))}
    </ul>
  )
}
