import type { TFunction } from 'i18next'
import { formatInteger } from '#web/kit/format.ts'
import { reasonText } from '../reason-text.ts'
import type { DayTally } from '../tally-records.ts'

/** What a day of an operator comes to, in a sentence: its reason, or how many of its shapes. */
export function dayText(t: TFunction, { records, violations, status }: DayTally): string {
  const [only] = records
  if (only && records.length === 1) return reasonText(t, only)
  const broken = records.filter((record) => record.status === 'non_compliant').length
  if (status === 'not_applicable' && only) return reasonText(t, only)
  if (broken === 0) return t('compliance:dayKept', { shapes: formatInteger(records.length) })
  return t('compliance:dayOfShapes', {
    broken: formatInteger(broken),
    shapes: formatInteger(records.length),
    violations: formatInteger(violations),
  })
}
