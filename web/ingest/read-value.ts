import { formatMoment } from '#web/kit/format.ts'

/** A value of a trip as it was read: times as the clocks of the region showed them. */
export function readValue(key: string, value: unknown, zone: string): string {
  if (value === null || value === undefined) return ''
  if (key.endsWith('_time') && typeof value === 'string') return formatMoment(value, zone)
  if (typeof value === 'number') return String(Math.round(value * 1e6) / 1e6)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
