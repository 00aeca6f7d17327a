import type { HealthDay, FeedStatus } from '#contract/health.ts'
import type { IncidentRule } from '#contract/incident-rules.ts'
import type { FeedTransitions } from '../check-transitions.ts'
import { judgedHours } from '../figures/health-days.ts'
import type { FeedTrips, Received } from '../figures/operator-facts.ts'
import { againstUsual, type HourTable, usualDays, usuallyHasSome } from '../figures/usual-counts.ts'

/** The current figure of a rule; null if there is too little data. */
export interface Measure {
  rule: IncidentRule
  operator: string
  feedId: string | null
  value: number | null
}

/** The input of the rules for one operator. */
export interface MeasureInput {
  operator: string
  /** Ms since 1970. */
  at: number
  statuses: readonly FeedStatus[]
  table: HourTable
  /** The last days up to today. */
  days: readonly HealthDay[]
  /** Transitions of the last hours, by feed. */
  transitions: readonly FeedTransitions[]
  received: ReadonlyMap<string, Received>
  /** Trips that began more than a day ago. */
  trips: FeedTrips | null
}

/** Fewer records than these are too few for a figure. */
const minCounts = { transitions: 50, records: 50, trips: 20, usual: 20 } as const

const percent = (count: number, of: number, enough: number): number | null =>
  of >= enough ? (100 * count) / of : null
const sum = <Each>(all: readonly Each[], of: (each: Each) => number): number =>
  all.reduce((total, each) => total + of(each), 0)

/** Records of the last 24 judged hours in percent of their usual number. */
function volumeNow(table: HourTable, days: readonly HealthDay[]): number | null {
  const last = judgedHours(days).slice(0, 24)
  if (last.length < 24) return null
  let [count, usual] = [0, 0]
  for (const day of new Set(last.map((hour) => hour.day))) {
    const here = againstUsual(
      table,
      day,
      last.filter((hour) => hour.day === day).map(({ hour }) => hour),
    )
    if (here.usual === null) return null
    count += here.count
    usual += here.usual
  }
  return percent(count, usual, minCounts.usual)
}

/** How many hours in a row, up to the newest that can be judged, are gaps. */
function gapNow(days: readonly HealthDay[]): number | null {
  const judged = judgedHours(days)
  if (!judged.length) return null
  const data = judged.findIndex(({ state }) => state === 'data')
  const since = data < 0 ? judged : judged.slice(0, data)
  // Hours in which no records are usual neither end a gap nor begin one.
  return since.filter(({ state }) => state === 'gap').length
}

function feedMeasures({ operator, at, table, days, received }: MeasureInput, feed: FeedStatus): Measure[] {
  const of = { operator, feedId: feed.feed_id }
  const since = feed.problem_since === null ? null : Date.parse(feed.problem_since)
  const newest = days.at(-1)
  const hour = newest ? newest.states.findLastIndex((state) => state !== 'ahead' && state !== 'none') : -1
  // A feed is not late at an hour in which no records are usual.
  const isUsual =
    !newest || hour < 0 || usualDays(table, newest.day) === null || usuallyHasSome(table, newest.day, hour)
  const late = feed.freshness_minutes === null ? null : feed.freshness_minutes / feed.promised_minutes
  const counts = received.get(feed.feed_id) ?? { accepted: 0, setAside: 0, repeated: 0, skewed: 0 }
  const records = counts.accepted + counts.setAside
  return [
    { ...of, rule: 'feed_failing', value: since === null ? 0 : (at - since) / 60_000 },
    { ...of, rule: 'feed_late', value: late !== null && (late <= 1 || isUsual) ? late : null },
    { ...of, rule: 'schema_violations', value: percent(counts.setAside, records, minCounts.records) },
    { ...of, rule: 'clock_skew', value: percent(counts.skewed, records, minCounts.records) },
  ]
}

/** Every figure of one operator; none of feeds that are switched off. */
export function measuresOf(input: MeasureInput): Measure[] {
  const { operator, statuses, table, days, transitions, trips } = input
  const feeds = statuses.filter(({ state }) => state !== 'paused')
  if (!feeds.length) return []
  const of = { operator, feedId: null }
  const volume = volumeNow(table, days)
  return [
    ...feeds.flatMap((feed) => feedMeasures(input, feed)),
    { ...of, rule: 'gap', value: gapNow(days) },
    { ...of, rule: 'volume_low', value: volume },
    { ...of, rule: 'volume_high', value: volume },
    {
      ...of,
      rule: 'illegal_transitions',
      value: percent(
        sum(transitions, (each) => each.illegal),
        sum(transitions, (each) => each.judged),
        minCounts.transitions,
      ),
    },
    {
      ...of,
      rule: 'trips_without_end',
      value: percent(trips?.withoutEnd ?? 0, trips?.count ?? 0, minCounts.trips),
    },
  ]
}
