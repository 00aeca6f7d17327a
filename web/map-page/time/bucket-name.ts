import type { TFunction } from 'i18next'
import type { TimeBucket } from '#contract/spatial.ts'
import { formatHourOfDay, formatTimeOfDay } from '#web/kit/time/time-of-day.ts'

/** Returns a bucket as text: `7:00 AM to 8:00 AM`, `Mon, Mar 2, 2026`. */
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

/** Labels of the axis: every sixth hour, the first days of months, or some days of a short period. */
export function getTicks(
  by: TimeBucket,
  buckets: readonly string[],
  language: string,
): { index: number; text: string }[] {
  // More than two months: only the first days of months are labeled.
  const isLong = buckets.length > 62
  const format = new Intl.DateTimeFormat(language, {
    month: 'short',
    ...(isLong ? {} : { day: 'numeric' }),
    timeZone: 'UTC',
  })
  const dayInterval = Math.max(1, Math.ceil(buckets.length / 8))
  const isShown = (bucket: string, index: number): boolean => {
    if (by === 'hour_of_day') return Number(bucket) % 6 === 0
    return isLong ? bucket.endsWith('-01') : index % dayInterval === 0
  }
  const shown = buckets.flatMap((bucket, index) =>
    isShown(bucket, index)
      ? [
          {
            index,
            text: by === 'hour_of_day' ? formatHourOfDay(Number(bucket)) : format.format(Date.parse(bucket)),
          },
        ]
      : [],
  )
  // Over many years, only as many labels as fit.
  const interval = Math.ceil(shown.length / 12)
  return shown.filter((_, index) => index % interval === 0)
}
