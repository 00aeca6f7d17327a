import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { formatChange } from '#web/map-page/by-shape/format-value.ts'
import type { Period } from '#web/filters/period.ts'
import { formatInteger } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { formatPolicyType } from '#web/policies/type-text.ts'
import styles from './compliance.module.css'
import { DaysSpark } from '#web/policies/results/days-spark.tsx'
import { DeletedMark } from '#web/policies/results/deleted-mark.tsx'
import { JudgementMark } from '#web/policies/results/judgement-mark.tsx'
import type { SummaryRow } from './summary-rows.ts'
import { complianceAddress } from '#web/policies/policy-address.ts'

interface SummaryContext {
  t: TFunction
  regionId: string
  period: Period
  /** Whether rows link to the page of their policy. */
  hasDetails: boolean
  /** Whether the days before are shown for comparison. */
  isCompared: boolean
}

type Column = TableColumn<SummaryRow>

const numberColumn = (
  key: string,
  title: string,
  value: (row: SummaryRow) => number | null,
  options: Partial<Column>,
): Column =>
  column(key, title, value, { isNumber: true, renderCell: (row) => formatInteger(value(row)), ...options })

/** Returns the link of a row: its policy for the same days and all operators. */
export const rowLink = (
  regionId: string,
  { constantId }: Pick<SummaryRow, 'constantId'>,
  { start_date, end_date }: Period,
) => ({ to: complianceAddress(regionId, constantId), search: { start_date, end_date } as never })

export function getSummaryColumns({ t, regionId, period, hasDetails, isCompared }: SummaryContext): Column[] {
  const getChange = ({ current, before }: SummaryRow): number | null =>
    before && current.violationCount - before.violationCount
  return [
    column('policy', t('compliance:table.policy'), (row) => row.policyName, {
      renderCell: (row) => (
        <>
          {hasDetails ? (
            <Link className={styles['name']} title={row.policyName} {...rowLink(regionId, row, period)}>
              {row.policyName}
            </Link>
          ) : (
            row.policyName
          )}
          {row.isDeleted ? <DeletedMark /> : null}
        </>
      ),
    }),
    column('type', t('compliance:table.type'), (row) => formatPolicyType(t, row.policyType), { width: 170 }),
    column('operator', t('compliance:table.operator'), (row) => row.operatorName, { width: 115 }),
    column('status', t('compliance:table.status'), (row) => t(`compliance:status.${row.current.status}`), {
      width: 152,
      renderCell: (row) => <JudgementMark status={row.current.status} />,
    }),
    numberColumn('days', t('compliance:table.days'), (row) => row.current.daysCount, { width: 105 }),
    numberColumn('violations', t('compliance:table.violations'), (row) => row.current.violationCount, {
      width: 112,
    }),
    ...(isCompared
      ? [
          numberColumn('before', t('compliance:table.before'), (row) => row.before?.violationCount ?? null, {
            width: 105,
          }),
          numberColumn('change', t('compliance:table.change'), getChange, {
            width: 90,
            renderCell: (row) => formatChange(getChange(row), 0),
          }),
        ]
      : [
          numberColumn('uncertain', t('compliance:table.uncertain'), (row) => row.current.uncertainCount, {
            width: 120,
            isHidden: true,
          }),
        ]),
    numberColumn('compliantDays', t('compliance:table.compliantDays'), (row) => row.current.compliantDays, {
      width: 140,
      isHidden: true,
    }),
    numberColumn('otherDays', t('compliance:table.otherDays'), (row) => row.current.notApplicableDays, {
      width: 140,
      isHidden: true,
    }),
    column(
      'spark',
      t('compliance:table.spark'),
      (row) => row.current.days.map(({ violations }) => violations).join(' '),
      { width: 164, renderCell: (row) => <DaysSpark days={row.current.days} /> },
    ),
  ]
}
