import type { TFunction } from 'i18next'
import { formatInteger } from '#web/kit/format.ts'
import type { DayTally } from '#web/policies/results/tally-records.ts'
import { formatReason } from '../reason-text.ts'

/** The result of an operator's day as a sentence: its reason, or the number of shapes with violations. */
export function formatDayTally(t: TFunction, { records, violations, status }: DayTally): string {
  const [firstRecord] = records
  if (firstRecord && records.length === 1) return formatReason(t, firstRecord)
  const nonCompliantCount = records.filter((record) => record.status === 'non_compliant').length
  if (status === 'not_applicable' && firstRecord) return formatReason(t, firstRecord)
  if (nonCompliantCount === 0) return t('compliance:dayKept', { shapes: formatInteger(records.length) })
  return t('compliance:dayOfShapes', {
    nonCompliant: formatInteger(nonCompliantCount),
    shapes: formatInteger(records.length),
    violations: formatInteger(violations),
  })
}
