import type { TFunction } from 'i18next'
import type { TimeBucket } from '#contract/spatial.ts'
import { hourText, timeText } from '#web/kit/time/time-of-day.ts'

/** A bucket as text: `7:00 AM to 8:00 AM`, `Mon, Mar 2, 2026`. */
export function bucketName(
  t: TFunction,
  language: string,
  by: TimeBucket,
  bucket: string | undefined,
): string {
  if (bucket === undefined) return ''
  if (by === 'hour_of_day')
    return t('evaluation:time.hour', {
      from: timeText({ hour: Number(bucket), minute: 0 }),
      to: timeText({ hour: Number(bucket) + 1, minute: 0 }),
    })
  return new Intl.DateTimeFormat(language, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(Date.parse(bucket))
}

/** The labels of the axis: every sixth hour, the first of months, or every one of few days. */
export function ticks(
  by: TimeBucket,
  buckets: readonly string[],
  language: string,
): { at: number; text: string }[] {
  const format = new Intl.DateTimeFormat(language, {
    month: 'short',
    ...(buckets.length > 62 ? {} : { day: 'numeric' }),
    timeZone: 'UTC',
  })
  const each = Math.max(1, Math.ceil(buckets.length / 8))
  const isShown = (bucket: string, at: number): boolean =>
    by === 'hour_of_day'
      ? Number(bucket) % 6 === 0
      : buckets.length > 62
        ? bucket.endsWith('-01')
        : at % each === 0
  const shown = buckets.flatMap((bucket, at) =>
    isShown(bucket, at)
      ? [{ at, text: by === 'hour_of_day' ? hourText(Number(bucket)) : format.format(Date.parse(bucket)) }]
      : [],
  )
  // Of many years, as many as fit.
  const every = Math.ceil(shown.length / 12)
  return shown.filter((_, at) => at % every === 0)
}
