import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Period, formatPeriod } from '#web/filters/period.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import { Table } from '#web/kit/table/table.tsx'
import { formatInteger } from '#web/kit/format.ts'
import styles from './compliance.module.css'
import { fileName } from './file-name.ts'
import { SlowSummaryNote } from './summary-loading.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { getSummaryColumns } from './summary-columns.tsx'
import { countStatuses, type SummaryRow } from './summary-rows.ts'

interface Props {
  regionId: string
  rows: readonly SummaryRow[]
  period: Period
  /** The period of the comparison; null if there is none. */
  earlier: Period | null
  /** When the figures of past days were computed. */
  asOf: string
  isSmall: boolean
  hasDetails: boolean
  state?: TableState | undefined
  onStateChange?: TableStateHandler | undefined
  /** Whether another period is loading; the rows are still those of the previous one. */
  isMeasuring?: boolean
}

/** The summary: a line of totals, and its rows. */
export function SummaryResults({
  regionId,
  rows,
  period,
  earlier,
  asOf,
  isSmall,
  hasDetails,
  state,
  onStateChange,
  isMeasuring = false,
}: Props) {
  const { t, i18n } = useTranslation()
  const isCompared = earlier !== null
  const { start_date: start, end_date: end } = period
  const columns = useMemo(
    () =>
      getSummaryColumns({
        t,
        regionId,
        period: { start_date: start, end_date: end },
        hasDetails,
        isCompared,
      }),
    [t, regionId, start, end, hasDetails, isCompared],
  )
  const number = countStatuses(rows)
  const sum = (count: (row: SummaryRow) => number): number =>
    rows.reduce((total, row) => total + count(row), 0)
  const violations = sum(({ current }) => current.violationCount)
  const violationsBefore = sum(({ before }) => before?.violationCount ?? 0)
  const totals = {
    days: sum(({ current }) => current.daysCount),
    violations,
    uncertain: sum(({ current }) => current.uncertainCount),
    compliantDays: sum(({ current }) => current.compliantDays),
    otherDays: sum(({ current }) => current.notApplicableDays),
    before: violationsBefore,
  }
  const result = t('compliance:summary', {
    nonCompliant: formatInteger(number.non_compliant),
    compliant: formatInteger(number.compliant),
    other: formatInteger(number.not_applicable),
  })
  return (
    <>
      {isMeasuring ? (
        <SlowSummaryNote period={period} />
      ) : (
        <p className={`figures ${styles['result']}`} role="status">
          {result}
          {earlier
            ? ` ${t('compliance:comparedWith', { period: formatPeriod(earlier, i18n.language) })}`
            : ''}{' '}
          <span>{t('compliance:asOf', { time: asOf })}</span>
        </p>
      )}
      {isSmall ? (
        <SummaryCards regionId={regionId} rows={rows} period={period} hasDetails={hasDetails} />
      ) : (
        <Table
          state={state}
          onStateChange={onStateChange}
          label={t('compliance:table.label')}
          rows={rows}
          columns={columns}
          rowKey={({ key }) => key}
          fileName={fileName(['compliance', regionId, start, end])}
          maxHeight="calc(100dvh - 340px)"
          defaultSort="-violations"
          totals={rows.length > 1 ? totals : undefined}
        />
      )}
    </>
  )
}
