import { useTranslation } from 'react-i18next'
import type { ComplianceStatus } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import { formatInteger } from '#web/kit/format.ts'
import { SparkBars } from '#web/kit/spark-bars.tsx'
import { formatPeriod } from '#web/filters/period.ts'

/** Formats the first and last of the days; empty if there are none. */
const formatDays = (days: readonly { date: LocalDay }[], language: string): string => {
  const first = days[0]
  const last = days.at(-1)
  return first && last ? formatPeriod({ start_date: first.date, end_date: last.date }, language) : ''
}

/** One day of a spark, with its number of violations. */
export interface SparkDay {
  date: LocalDay
  status: ComplianceStatus
  violations: number
}

const maxBarsPx = 140
const tones = { non_compliant: 'bad', compliant: 'good', not_applicable: 'value' } as const

/** Violations by day as small bars. Compliant days: a line at the baseline; not applicable: a dot below. */
export function DaysSpark({ days }: { days: readonly SparkDay[] }) {
  const { t, i18n } = useTranslation()
  const countDays = (status: ComplianceStatus): string =>
    formatInteger(days.filter((day) => day.status === status).length)
  const label = t('compliance:spark', {
    days: formatDays(days, i18n.language),
    nonCompliant: countDays('non_compliant'),
    compliant: countDays('compliant'),
    other: countDays('not_applicable'),
  })
  return (
    <SparkBars
      bars={days.map(({ status, violations }) => ({
        value: status === 'non_compliant' ? violations : 0,
        tone: tones[status],
        isDot: status === 'not_applicable',
      }))}
      height={24}
      step={Math.max(2, Math.min(12, Math.floor(maxBarsPx / Math.max(1, days.length))))}
      label={label}
    />
  )
}
