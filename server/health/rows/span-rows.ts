import type { FeedStatus, HealthDay, HealthRow, OperatorHealth } from '#contract/health.ts'
import { hourMs } from '#contract/period.ts'
import { getDayStart, getHourEnds } from '#server/regions/local-hours.ts'

/** The fields of a row that is not about a single record. */
const emptyFields = { device_id: null, vehicle_id: null, trip_id: null, raw: null, feed_id: null } as const
const formatTwoDigits = (hour: number): string => String(hour).padStart(2, '0')

/** Lists feeds with the age of their newest record in minutes. */
export const listFreshnessRows = (statuses: readonly FeedStatus[]): HealthRow[] =>
  statuses.map((feed) => ({
    ...emptyFields,
    time: feed.newest_record,
    operator: feed.operator ?? '',
    feed_id: feed.feed_id,
    id: feed.name,
    part: feed.state,
    reason: feed.reason,
    value: feed.freshness_minutes,
  }))

/** Lists hours without records that usually have some, newest first. */
export const listGapRows = ({ operator, days }: OperatorHealth, timezone: string): HealthRow[] =>
  days
    .flatMap(({ day, states }) => {
      const ends = getHourEnds(day, timezone)
      return states.flatMap((state, hour) => (state === 'gap' ? [{ day, hour, end: ends[hour] ?? 0 }] : []))
    })
    .toReversed()
    .map(({ day, hour, end }) => ({
      ...emptyFields,
      time: new Date(end - hourMs).toISOString(),
      operator,
      id: `${day} ${formatTwoDigits(hour)}:00`,
      part: 'gap',
      reason: `No record from ${formatTwoDigits(hour)}:00 to ${formatTwoDigits((hour + 1) % 24)}:00; the same weekday usually has some.`,
      value: null,
    }))

const describeVolume = ({ count, usual }: HealthDay): string =>
  usual === null
    ? `${count} records; the usual number is not known yet.`
    : `${count} records; ${Math.round(usual)} are usual.`

/** Lists days with the number of their records in percent of the usual number, newest first. */
export const listVolumeRows = ({ operator, days }: OperatorHealth, timezone: string): HealthRow[] =>
  days.toReversed().map((day) => ({
    ...emptyFields,
    time: new Date(getDayStart(day.day, timezone)).toISOString(),
    operator,
    id: day.day,
    part: 'day',
    reason: describeVolume(day),
    value: day.usual ? (100 * day.count) / day.usual : null,
  }))
