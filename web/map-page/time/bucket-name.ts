import type { TFunction } from 'i18next'
import type { TimeBucket } from '#contract/spatial.ts'
import { formatHourOfDay, formatTimeOfDay } from '#web/kit/time/time-of-day.ts'

/** Returns a bucket as text: `7:00 AM to 8:00 AM`, `Mon, Mar 2, 2026`; empty for undefined. */
export function bucketName(
  t: TFunction,
  language: string,
  by: TimeBucket,
  bucket: string | undefined,
): string {
  if (bucket === undefined) return ''
  if (by === 'hour_of_day')
    return t('evaluation:time.hour', {
      from: formatTimeOfDay({ hour: Number(bucket), minute: 0 }),
      to: formatTimeOfDay({ hour: Number(bucket) + 1, minute: 0 }),
    })
  return new Intl.DateTimeFormat(language, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(Date.parse(bucket))
}

/** Two months. In longer periods, only the first days of months are labeled. */
const maxDaysWithDayLabels = 62
const maxDayLabels = 8
const maxLabels = 12

/** Returns the labels of an axis: every sixth hour, the first days of months, or days of a short period. */
export function getTicks(
  by: TimeBucket,
  buckets: readonly string[],
  language: string,
): { index: number; text: string }[] {
  const isLong = buckets.length > maxDaysWithDayLabels
  const format = new Intl.DateTimeFormat(language, {
    month: 'short',
    ...(isLong ? {} : { day: 'numeric' }),
    timeZone: 'UTC',
  })
  const dayInterval = Math.max(1, Math.ceil(buckets.length / maxDayLabels))
  const hasLabel = (bucket: string, index: number): boolean => {
    if (by === 'hour_of_day') return Number(bucket) % 6 === 0
    return isLong ? bucket.endsWith('-01') : index % dayInterval === 0
  }
  const formatBucket = (bucket: string): string =>
    by === 'hour_of_day' ? formatHourOfDay(Number(bucket)) : format.format(Date.parse(bucket))
  const ticks = buckets.flatMap((bucket, index) =>
    hasLabel(bucket, index) ? [{ index, text: formatBucket(bucket) }] : [],
  )
  // Over many years, only as many labels as fit.
  const interval = Math.ceil(ticks.length / maxLabels)
  return ticks.filter((_, index) => index % interval === 0)
}
