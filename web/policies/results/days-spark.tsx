import { useTranslation } from 'react-i18next'
import type { ComplianceStatus } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import { formatInteger } from '#web/kit/format.ts'
import { SparkBars } from '#web/kit/spark-bars.tsx'
import { formatPeriod } from '#web/filters/period.ts'

/** Returns the first and last of the days as text; empty if there are none. */
const rangeOfDays = (days: readonly { date: LocalDay }[], language: string): string => {
  const [first, last] = [days[0], days.at(-1)]
  return first && last ? formatPeriod({ start_date: first.date, end_date: last.date }, language) : ''
}

export interface SparkDay {
  date: LocalDay
  status: ComplianceStatus
  violations: number
}

const widestPx = 140
const tones = { non_compliant: 'bad', compliant: 'good', not_applicable: 'value' } as const

/**
 * Violations by day as small bars. A compliant day is a line at the baseline; a day that is not applicable, a
 * dot below it.
 */
export function DaysSpark({ days }: { days: readonly SparkDay[] }) {
  const { t, i18n } = useTranslation()
  const number = (status: ComplianceStatus): string =>
    formatInteger(days.filter((day) => day.status === status).length)
  const label = t('compliance:spark', {
    days: rangeOfDays(days, i18n.language),
    broken: number('non_compliant'),
    kept: number('compliant'),
    other: number('not_applicable'),
  })
  return (
    <SparkBars
      bars={days.map(({ status, violations }) => ({
        value: status === 'non_compliant' ? violations : 0,
        tone: tones[status],
        isDot: status === 'not_applicable',
      }))}
      height={24}
      step={Math.max(2, Math.min(12, Math.floor(widestPx / Math.max(1, days.length))))}
      label={label}
    />
  )
}
