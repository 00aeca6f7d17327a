import i18next from 'i18next'
import { formatDecimal } from './format-decimal.ts'
import { isMissing, notAvailableText, type MaybeNumber } from './format.ts'

/** A span in all its units: `2 days 3 hrs 5 mins`; less than a minute is `0 mins`. */
export function formatSpan(seconds: MaybeNumber): string {
  if (isMissing(seconds)) return notAvailableText()
  const minutes = Math.floor(Math.max(0, seconds) / 60)
  const parts = (
    [
      ['days', Math.floor(minutes / 1440)],
      ['hours', Math.floor(minutes / 60) % 24],
      ['minutes', minutes % 60],
    ] as const
  ).filter(([, count]) => count > 0)
  return parts.length === 0
    ? formatUnit('minutes', 0)
    : parts.map(([unit, of]) => formatUnit(unit, of)).join(' ')
}

/** A duration in the one unit that fits: `40 secs`, `59 mins`, `1.5 hrs`. What has begun of a minute does not count. */
export function formatDuration(seconds: MaybeNumber): string {
  if (isMissing(seconds)) return notAvailableText()
  if (seconds < 60) return formatUnit('seconds', Math.floor(seconds))
  if (seconds < 3600) return formatUnit('minutes', Math.floor(seconds / 60))
  return i18next.t('kit:duration.hours_other', {
    shown: formatDecimal(seconds / 3600, { minimum: 1, maximum: 1 }),
  })
}

const formatUnit = (unit: 'days' | 'hours' | 'minutes' | 'seconds', of: number): string =>
  i18next.t(`kit:duration.${unit}`, { count: of, shown: formatDecimal(of, { minimum: 0, maximum: 0 }) })
