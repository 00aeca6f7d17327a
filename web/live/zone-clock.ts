import i18next from 'i18next'
import { localDay } from '#contract/period.ts'

/** An instant (ms since 1970) as the time of day in a time zone: `2:05 PM`, optionally with seconds. */
export const formatClock = (ms: number, zone: string, withSeconds = false): string =>
  new Intl.DateTimeFormat(i18next.language ?? 'en-US', {
    timeStyle: withSeconds ? 'medium' : 'short',
    timeZone: zone,
  }).format(ms)

/** The same, with the date unless it is today (`at`: now). */
export const formatNearTime = (ms: number, zone: string, at: number): string =>
  localDay(new Date(ms), zone) === localDay(new Date(at), zone)
    ? formatClock(ms, zone)
    : formatDayAndTime(ms, zone)

/** The same, always with the date. */
export const formatDayAndTime = (ms: number, zone: string): string =>
  new Intl.DateTimeFormat(i18next.language ?? 'en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  }).format(ms)
