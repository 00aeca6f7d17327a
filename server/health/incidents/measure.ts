import type { HealthDay, FeedStatus } from '#contract/health.ts'
import type { IncidentRule } from '#contract/incident-rules.ts'
import type { FeedTransitions } from '../check-transitions.ts'
import { isJudged, listJudgedHours } from '../figures/health-days.ts'
import type { FeedTrips, Received } from '../figures/operator-facts.ts'
import {
  compareWithUsual,
  type HourTable,
  findUsualDays,
  usuallyHasRecords,
} from '../figures/usual-counts.ts'

/** The current figure of a rule for a feed or, with `feedId` null, for an operator. */
export interface Measure {
  rule: IncidentRule
  operator: string
  feedId: string | null
  /** Null if there is too little data. */
  value: number | null
}

/** The input of the rules for one operator. */
export interface MeasureInput {
  operator: string
  /** Milliseconds since 1970. */
  at: number
  statuses: readonly FeedStatus[]
  table: HourTable
  /** The last days including today. */
  days: readonly HealthDay[]
  /** Transitions of the last hours (`ruleHours`), by feed. */
  transitions: readonly FeedTransitions[]
  /** Records of the last hours (`ruleHours`), by feed id. */
  received: ReadonlyMap<string, Received>
  /** Trips that started long enough ago to be complete. */
  trips: FeedTrips | null
}

/** With fewer records than these there is no figure. */
const minCounts = { transitions: 50, records: 50, trips: 20, usual: 20 } as const

const computePercentage = (count: number, total: number, minTotal: number): number | null =>
  total >= minTotal ? (100 * count) / total : null
const sumBy = <Item>(items: readonly Item[], getValue: (item: Item) => number): number =>
  items.reduce((total, item) => total + getValue(item), 0)

/** Returns the records of the last 24 judged hours in percent of the usual number; null if that is unknown. */
function measureVolume(table: HourTable, days: readonly HealthDay[]): number | null {
  const lastHours = listJudgedHours(days).slice(0, 24)
  if (lastHours.length < 24) return null
  let count = 0
  let usual = 0
  for (const day of new Set(lastHours.map((hour) => hour.day))) {
    const volume = compareWithUsual(
      table,
      day,
      lastHours.filter((hour) => hour.day === day).map(({ hour }) => hour),
    )
    if (volume.usual === null) return null
    count += volume.count
    usual += volume.usual
  }
  return computePercentage(count, usual, minCounts.usual)
}

/** Returns the number of gaps (hours) since the last hour with data; null without judged hours. */
function measureGap(days: readonly HealthDay[]): number | null {
  const judgedHours = listJudgedHours(days)
  if (!judgedHours.length) return null
  const lastWithData = judgedHours.findIndex(({ state }) => state === 'data')
  const hoursSince = lastWithData < 0 ? judgedHours : judgedHours.slice(0, lastWithData)
  // Quiet hours, in which no records are usual, are not counted but do not end the gap.
  return hoursSince.filter(({ state }) => state === 'gap').length
}

/** Measures the rules that concern one feed. */
function measureFeed({ operator, at, table, days, received }: MeasureInput, feed: FeedStatus): Measure[] {
  const subject = { operator, feedId: feed.feed_id }
  const problemSince = feed.problem_since === null ? null : Date.parse(feed.problem_since)
  const today = days.at(-1)
  const lastHour = today ? today.states.findLastIndex(isJudged) : -1
  // A feed is not late in an hour in which no records are usual.
  const areRecordsUsual =
    !today ||
    lastHour < 0 ||
    findUsualDays(table, today.day) === null ||
    usuallyHasRecords(table, today.day, lastHour)
  const lateness = feed.freshness_minutes === null ? null : feed.freshness_minutes / feed.promised_minutes
  const counts = received.get(feed.feed_id) ?? { accepted: 0, setAside: 0, repeated: 0, skewed: 0 }
  const records = counts.accepted + counts.setAside
  return [
    { ...subject, rule: 'feed_failing', value: problemSince === null ? 0 : (at - problemSince) / 60_000 },
    {
      ...subject,
      rule: 'feed_late',
      value: lateness !== null && (lateness <= 1 || areRecordsUsual) ? lateness : null,
    },
    {
      ...subject,
      rule: 'schema_violations',
      value: computePercentage(counts.setAside, records, minCounts.records),
    },
    { ...subject, rule: 'clock_skew', value: computePercentage(counts.skewed, records, minCounts.records) },
  ]
}

/** Returns all figures of an operator, except for feeds that are switched off. */
export function measureOperator(input: MeasureInput): Measure[] {
  const { operator, statuses, table, days, transitions, trips } = input
  const feeds = statuses.filter(({ state }) => state !== 'paused')
  if (!feeds.length) return []
  const subject = { operator, feedId: null }
  const volume = measureVolume(table, days)
  return [
    ...feeds.flatMap((feed) => measureFeed(input, feed)),
    { ...subject, rule: 'gap', value: measureGap(days) },
    { ...subject, rule: 'volume_low', value: volume },
    { ...subject, rule: 'volume_high', value: volume },
    {
      ...subject,
      rule: 'illegal_transitions',
      value: computePercentage(
        sumBy(transitions, ({ illegal }) => illegal),
        sumBy(transitions, ({ judged }) => judged),
        minCounts.transitions,
      ),
    },
    {
      ...subject,
      rule: 'trips_without_end',
      value: computePercentage(trips?.withoutEnd ?? 0, trips?.count ?? 0, minCounts.trips),
    },
  ]
}
