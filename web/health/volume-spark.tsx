import { useTranslation } from 'react-i18next'
import type { HealthDay } from '#contract/health.ts'
import { formatInteger } from '#web/kit/format.ts'
import { shortDay } from './short-day.ts'
import styles from './volume-spark.module.css'

interface SparkBar {
  day: string
  count: number
  usual: number | null
  /** Share of the highest bar or mark, 0 to 1. */
  height: number
  usualHeight: number | null
}

/** Days as bars beside marks of what is usual, on one scale. */
export function sparkBars(days: readonly HealthDay[]): SparkBar[] {
  const top = Math.max(0, ...days.flatMap(({ count, usual }) => [count, usual ?? 0]))
  const share = (value: number): number => (top > 0 ? value / top : 0)
  return days.map(({ day, count, usual }) => ({
    day,
    count,
    usual,
    height: share(count),
    usualHeight: usual === null ? null : share(usual),
  }))
}

const [width, height, gap] = [16, 32, 4]

/** Records by day as small bars; a line across each marks what is usual. Its numbers are its name. */
export function VolumeSpark({ days }: { days: readonly HealthDay[] }) {
  const { t, i18n } = useTranslation()
  const bars = sparkBars(days)
  const told = bars
    .map(({ day, count, usual }) =>
      t(usual === null ? 'health:spark.day' : 'health:spark.usual', {
        day: shortDay(day, i18n.language),
        count: formatInteger(count),
        usual: formatInteger(usual),
      }),
    )
    .join('; ')
  const step = bars.length > 14 ? 8 : width + gap
  const thick = step - (bars.length > 14 ? 2 : gap)
  return (
    <svg
      className={styles['spark']}
      role="img"
      aria-label={t('health:spark.text', { days: told })}
      viewBox={`0 0 ${Math.max(1, bars.length) * step} ${height + 2}`}
      height={height + 2}
      width={Math.max(1, bars.length) * step}
    >
      <line x1={0} x2={bars.length * step} y1={height + 1} y2={height + 1} className={styles['ground']} />
      {bars.map(({ day, height: share, usualHeight }, at) => (
        <g key={day}>
          <rect
            x={at * step}
            y={height - share * height}
            width={thick}
            height={Math.max(share > 0 ? 1 : 0, share * height)}
            className={styles['bar']}
          />
          {usualHeight === null ? null : (
            <line
              x1={at * step - 1}
              x2={at * step + thick + 1}
              y1={height - usualHeight * height}
              y2={height - usualHeight * height}
              className={styles['usual']}
            />
          )}
        </g>
      ))}
    </svg>
  )
}
