import i18next from 'i18next'
import { type MaybeNumber, formatDecimal, isMissing, formatMissing } from './format.ts'

/** Formats a duration in all units: `2 days 3 hrs 5 mins`; under a minute it is `0 mins`. */
export function formatSpan(seconds: MaybeNumber): string {
  if (isMissing(seconds)) return formatMissing()
  const totalMinutes = Math.floor(Math.max(0, seconds) / 60)
  const days = Math.floor(totalMinutes / minutesPerDay)
  const hours = Math.floor(totalMinutes / 60) % 24
  const minutes = totalMinutes % 60
  const units = [
    days > 0 ? formatUnit('days', days) : '',
    hours > 0 ? formatUnit('hours', hours) : '',
    minutes > 0 || totalMinutes === 0 ? formatUnit('minutes', minutes) : '',
  ]
  return units.filter(Boolean).join(' ')
}

const minutesPerDay = 1440

/** Formats a duration in its largest unit: `40 secs`, `59 mins`, `1.5 hrs`. Seconds and minutes are rounded down. */
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
