import i18next from 'i18next'
import { type MaybeNumber, formatDecimal, isMissing, formatMissing } from './format.ts'

/** Formats a duration in all units: `2 days 3 hrs 5 mins`; under a minute it is `0 mins`. */
export function formatSpan(seconds: MaybeNumber): string {
  if (isMissing(seconds)) return formatMissing()
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
    : parts.map(([unit, count]) => formatUnit(unit, count)).join(' ')
}

/**
 * Formats a duration in the largest fitting unit, rounded down to whole seconds or minutes: `40 secs`, `59
 * mins`, `1.5 hrs`.
 */
export function formatDuration(seconds: MaybeNumber): string {
  if (isMissing(seconds)) return formatMissing()
  if (seconds < 60) return formatUnit('seconds', Math.floor(seconds))
  if (seconds < 3600) return formatUnit('minutes', Math.floor(seconds / 60))
  return i18next.t('kit:duration.hours_other', {
    shown: formatDecimal(seconds / 3600, { minimum: 1, maximum: 1 }),
  })
}

const formatUnit = (unit: 'days' | 'hours' | 'minutes' | 'seconds', count: number): string =>
  i18next.t(`kit:duration.${unit}`, { count, shown: formatDecimal(count, { minimum: 0, maximum: 0 }) })
