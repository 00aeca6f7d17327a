import i18next from 'i18next'
import type { TimeOfDay } from './time-of-day.ts'
import { writeTime } from './write-time.ts'

/** Hours of a day as they are read; without bounds all of it. */
export function formatTimeRange(from: TimeOfDay | null, to: TimeOfDay | null): string {
  if (from !== null && to !== null) return `${writeTime(from)} – ${writeTime(to)}`
  if (from !== null) return i18next.t('kit:time.from', { time: writeTime(from) })
  return to === null ? i18next.t('kit:time.allDay') : i18next.t('kit:time.until', { time: writeTime(to) })
}
