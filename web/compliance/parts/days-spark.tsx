import { useTranslation } from 'react-i18next'
import type { ComplianceStatus } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import { formatInteger } from '#web/kit/format.ts'
import styles from './parts.module.css'
import { periodText } from '#web/filters/period.ts'

/** The first and the last of some days, as they are read; empty where there are none. */
const rangeOfDays = (days: readonly { date: LocalDay }[], language: string): string => {
  const [first, last] = [days[0], days.at(-1)]
  return first && last ? periodText({ start_date: first.date, end_date: last.date }, language) : ''
}

export interface SparkDay {
  date: LocalDay
  status: ComplianceStatus
  violations: number
}

const [height, widest, least] = [24, 140, 2]

/** Violations by day as small bars: a day that was kept is a line at the ground, one that was not judged a dot below it. What it shows is its name. */
export function DaysSpark({ days }: { days: readonly SparkDay[] }) {
  const { t, i18n } = useTranslation()
  const most = Math.max(1, ...days.map(({ violations }) => violations))
  const step = Math.max(least, Math.min(12, Math.floor(widest / Math.max(1, days.length))))
  const number = (status: ComplianceStatus): string =>
    formatInteger(days.filter((day) => day.status === status).length)
  const label = t('compliance:spark', {
    days: rangeOfDays(days, i18n.language),
    broken: number('non_compliant'),
    kept: number('compliant'),
    other: number('not_applicable'),
  })
  return (
    <svg
      className={styles['spark']}
      role="img"
      aria-label={label}
      width={Math.max(1, days.length) * step}
      height={height + 5}
      viewBox={`0 0 ${Math.max(1, days.length) * step} ${height + 5}`}
    >
      {days.map(({ date, status, violations }, at) => {
        const tall = status === 'non_compliant' ? Math.max(4, (violations / most) * height) : 2
        if (status === 'not_applicable')
          return <circle key={date} cx={at * step + step / 2} cy={height + 3} r={1.2} data-status={status} />
        return (
          <rect
            key={date}
            x={at * step}
            width={Math.max(1, step - 1.5)}
            y={height - tall}
            height={tall}
            data-status={status}
          />
        )
      })}
    </svg>
  )
}
