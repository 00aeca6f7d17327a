import { useTranslation } from 'react-i18next'
import { formatChange } from '#web/evaluation/format-value.ts'
import { formatNumber, formatInteger } from '#web/kit/format.ts'
import { DaysSpark } from '../parts/days-spark.tsx'
import { JudgementMark } from '../parts/judgement-mark.tsx'
import type { OperatorTally } from '../tally-records.ts'
import styles from './try-out.module.css'

interface Props {
  tallies: readonly OperatorTally[]
  before: readonly OperatorTally[] | null
  operatorName: (slug: string) => string
}

/** Operator by operator: before and after, and day by day. */
export function OperatorsTable({ tallies, before, operatorName }: Props) {
  const { t } = useTranslation()
  const cell = (now: number, then: number | undefined) => (
    <td data-number>
      {then === undefined || then === now ? (
        formatInteger(now)
      ) : (
        <>
          {t('compliance:try.wasText', { before: formatInteger(then), now: formatInteger(now) })}
          <span className={styles['change']} data-more={now > then || undefined}>
            {formatChange(now - then, 0)}
          </span>
        </>
      )}
    </td>
  )
  return (
    <div
      className={styles['tableBox']}
      tabIndex={0}
      role="region"
      aria-label={t('compliance:try.table.label')}
    >
      <table className={styles['table']} aria-label={t('compliance:try.table.label')}>
        <thead>
          <tr>
            {(['operator', 'days', 'violations', 'vehicles', 'line'] as const).map((key) => (
              <th key={key} scope="col" data-number={(key !== 'operator' && key !== 'line') || undefined}>
                {t(`compliance:try.table.${key}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tallies.map(({ operator, status, brokenDays, violations, mostVehicles, days }) => {
            const then = before?.find((each) => each.operator === operator)
            return (
              <tr key={operator}>
                <th scope="row">
                  {operatorName(operator)}
                  <JudgementMark status={status} />
                </th>
                {cell(brokenDays, then?.brokenDays)}
                {cell(violations, then?.violations)}
                <td data-number>{formatNumber(mostVehicles)}</td>
                <td>
                  <DaysSpark days={[...days.values()]} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
