import i18next from 'i18next'
import { localDay } from '#contract/period.ts'

/** Formats an instant (ms since 1970) as the time of day in a time zone: `2:05 PM`, optionally with seconds. */
export const formatClock = (ms: number, timezone: string, withSeconds = false): string =>
  new Intl.DateTimeFormat(i18next.language ?? 'en-US', {
    timeStyle: withSeconds ? 'medium' : 'short',
    timeZone: timezone,
  }).format(ms)

/** Formats an instant (ms since 1970) as time of day, with the date unless it is the day of `at`, the current time. */
export const formatNearTime = (ms: number, timezone: string, at: number): string =>
  localDay(new Date(ms), timezone) === localDay(new Date(at), timezone)
    ? formatClock(ms, timezone)
    : formatDayAndTime(ms, timezone)

/** Formats an instant as date and time of day. */
export const formatDayAndTime = (ms: number, timezone: string): string =>
  new Intl.DateTimeFormat(i18next.language ?? 'en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: timezone,
  }).format(ms)
