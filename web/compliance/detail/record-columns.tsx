import type { TFunction } from 'i18next'
import type { ComplianceRecord } from '#contract/compliance.ts'
import { shortDay } from '#web/kit/dates/short-day.ts'
import { formatNumber, formatInteger } from '#web/kit/format.ts'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { measureNumber } from '#web/policies/results/measured-text.ts'
import { JudgementMark } from '#web/policies/results/judgement-mark.tsx'
import { reasonText } from '../reason-text.ts'

type Column = TableColumn<ComplianceRecord>

/** The columns of the records in the table. */
export const recordColumns = (
  t: TFunction,
  language: string,
  operatorName: (slug: string) => string,
): Column[] => [
  {
    key: 'date',
    title: t('compliance:records.date'),
    width: 130,
    value: ({ date }) => date,
    renderCell: ({ date }) => shortDay(date, language),
  },
  {
    key: 'operator',
    title: t('compliance:table.operator'),
    width: 120,
    value: ({ operator }) => operatorName(operator),
  },
  { key: 'shape', title: t('compliance:records.shape'), width: 150, value: ({ shape_name: name }) => name },
  {
    key: 'status',
    title: t('compliance:table.status'),
    width: 160,
    value: ({ status }) => t(`compliance:status.${status}`),
    renderCell: ({ status }) => <JudgementMark status={status} />,
  },
  {
    key: 'reason',
    title: t('compliance:records.reason'),
    width: 380,
    value: (record) => reasonText(t, record),
    renderCell: (record) => <span title={reasonText(t, record)}>{reasonText(t, record)}</span>,
  },
  {
    key: 'measured',
    title: t('compliance:records.measured'),
    width: 120,
    isNumber: true,
    value: ({ measured }) => measured,
    renderCell: ({ measured }) => (measured === null ? formatNumber(null) : measureNumber(measured)),
  },
  {
    key: 'violations',
    title: t('compliance:table.violations'),
    width: 110,
    isNumber: true,
    value: ({ violations }) => violations,
    renderCell: ({ violations }) => formatInteger(violations),
  },
  {
    key: 'uncertain',
    title: t('compliance:table.uncertain'),
    width: 110,
    isNumber: true,
    value: ({ uncertain }) => uncertain,
    renderCell: ({ uncertain }) => formatInteger(uncertain),
  },
  {
    key: 'vehicles',
    title: t('compliance:records.vehicles'),
    width: 110,
    isNumber: true,
    isHidden: true,
    value: ({ vehicle_count: count }) => count,
    renderCell: ({ vehicle_count: count }) => formatNumber(count),
  },
]

const field = (key: keyof ComplianceRecord): Column => ({
  key,
  title: key,
  value: (record) => {
    const value = record[key]
    return typeof value === 'boolean' ? String(value) : value
  },
})

/** The columns of the records in the file: every field by its API name, and the translated reason. */
export const recordFile = (t: TFunction): Column[] => [
  ...(
    ['date', 'operator', 'shape_uuid', 'shape_name', 'status', 'vehicle_count', 'drop_offs_count'] as const
  ).map(field),
  { key: 'reason', title: 'reason', value: (record) => reasonText(t, record) },
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
  ).map(field),
]
