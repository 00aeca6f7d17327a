import type { TFunction } from 'i18next'
import type { ComplianceRecord } from '#contract/compliance.ts'
import { formatShortDay } from '#web/kit/dates/calendar-text.ts'
import { formatNumber } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { formatMeasuredNumber } from '#web/policies/results/measured-text.ts'
import { JudgementMark } from '#web/policies/results/judgement-mark.tsx'
import { formatReason } from '../reason-text.ts'

type Column = TableColumn<ComplianceRecord>

export const getRecordColumns = (
  t: TFunction,
  language: string,
  operatorName: (slug: string) => string,
): Column[] => [
  column('date', t('compliance:records.date'), ({ date }) => date, {
    width: 130,
    renderCell: ({ date }) => formatShortDay(date, language),
  }),
  column('operator', t('compliance:table.operator'), ({ operator }) => operatorName(operator), {
    width: 120,
  }),
  column('shape', t('compliance:records.shape'), ({ shape_name: name }) => name, { width: 150 }),
  column('status', t('compliance:table.status'), ({ status }) => t(`compliance:status.${status}`), {
    width: 160,
    renderCell: ({ status }) => <JudgementMark status={status} />,
  }),
  column('reason', t('compliance:records.reason'), (record) => formatReason(t, record), {
    width: 380,
    renderCell: (record) => <span title={formatReason(t, record)}>{formatReason(t, record)}</span>,
  }),
  column('measured', t('compliance:records.measured'), ({ measured }) => measured, {
    width: 120,
    isNumber: true,
    renderCell: ({ measured }) => (measured === null ? formatNumber(null) : formatMeasuredNumber(measured)),
  }),
  column('violations', t('compliance:table.violations'), ({ violations }) => violations, {
    width: 110,
    isNumber: true,
  }),
  column('uncertain', t('compliance:table.uncertain'), ({ uncertain }) => uncertain, {
    width: 110,
    isNumber: true,
  }),
  column('vehicles', t('compliance:records.vehicles'), ({ vehicle_count: count }) => count, {
    width: 110,
    isNumber: true,
    isHidden: true,
  }),
]

const fieldColumn = (key: keyof ComplianceRecord): Column =>
  column(key, key, (record) => {
    const value = record[key]
    return typeof value === 'boolean' ? String(value) : value
  })

/** Columns of the file of records: every field under its API name, and the translated reason. */
export const getRecordFileColumns = (t: TFunction): Column[] => [
  ...(
    ['date', 'operator', 'shape_uuid', 'shape_name', 'status', 'vehicle_count', 'drop_offs_count'] as const
  ).map(fieldColumn),
  column('reason', 'reason', (record) => formatReason(t, record)),
  ...(
    [
      'reason_code',
      'measure',
      'measured',
      'minimum',
      'maximum',
      'unit',
      'violations',
      'uncertain',
      'gap_hours',
      'provisional',
      'policy_uuid',
    ] as const
  ).map(fieldColumn),
]
