import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatChange } from '#web/map-page/by-shape/format-value.ts'
import { formatInteger } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { DaysSpark } from '../results/days-spark.tsx'
import { JudgementMark } from '../results/judgement-mark.tsx'
import { type OperatorTally, tallyAll } from '../results/tally-records.ts'
import styles from './policy-test.module.css'

interface Props {
  tallies: readonly OperatorTally[]
  /** Results of the other revision; null if there is none. */
  before: readonly OperatorTally[] | null
  operatorName: (slug: string) => string
}

/** Results by operator: before, after, and day by day. */
export function OperatorsTable({ tallies, before, operatorName }: Props) {
  const { t } = useTranslation()
  const renderWithChange = (now: number, earlier: number | undefined): ReactNode =>
    earlier === undefined || earlier === now ? (
      formatInteger(now)
    ) : (
      <>
        {t('compliance:try.wasText', { before: formatInteger(earlier), now: formatInteger(now) })}
        <span className={styles['change']} data-more={now > earlier || undefined}>
          {formatChange(now - earlier, 0)}
        </span>
      </>
    )
  const comparedColumn = (key: 'days' | 'violations', field: 'nonCompliantDays' | 'violations'): Column =>
    column(key, t(`compliance:try.table.${key}`), (tally) => tally[field], {
      isNumber: true,
      width: 100,
      renderCell: (tally) =>
        renderWithChange(tally[field], before?.find(({ operator }) => operator === tally.operator)?.[field]),
    })
  const columns: Column[] = [
    column('operator', t('compliance:try.table.operator'), ({ operator }) => operatorName(operator), {
      width: 170,
      // A column of days does not fit beside a form.
      renderCell: ({ operator, status, days }) => (
        <span className={styles['operator']}>
          {operatorName(operator)}
          <JudgementMark status={status} />
          <DaysSpark days={[...days.values()]} />
        </span>
      ),
    }),
    comparedColumn('days', 'nonCompliantDays'),
    comparedColumn('violations', 'violations'),
    column('vehicles', t('compliance:try.table.vehicles'), ({ maxVehicles }) => maxVehicles, {
      isNumber: true,
      width: 80,
    }),
  ]
  const { nonCompliantDays, violations } = tallyAll(tallies)
  return (
    <Table
      label={t('compliance:try.table.label')}
      rows={tallies}
      columns={columns}
      rowKey={({ operator }) => operator}
      totals={tallies.length > 1 ? { days: nonCompliantDays, violations } : undefined}
      maxHeight="none"
      isWrapped
      hasTools={false}
    />
  )
}

type Column = TableColumn<OperatorTally>
