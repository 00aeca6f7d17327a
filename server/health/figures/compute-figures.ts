import type { HealthFigure } from '#contract/health.ts'
import { healthFigureNames, type HealthFigureName } from '#contract/health-figures.ts'
import type { FeedChecks } from '../day-facts.ts'
import { isJudged } from './health-days.ts'
import type { OperatorFacts } from './operator-facts.ts'
import { computeQuantile } from './quantile.ts'

type ComputedFigure = Omit<HealthFigure, 'figure'>

const sumBy = <Item>(items: readonly Item[], getValue: (item: Item) => number): number =>
  items.reduce((total, item) => total + getValue(item), 0)
/** Returns the number of events in a histogram of lateness. */
const countEvents = (histogram: FeedChecks['late']): number => sumBy(histogram, ([, count]) => count)
/** Computes a figure that is a share in percent; its value is null if the total is zero. */
const computePercentage = (
  count: number,
  total: number,
  parts: HealthFigure['parts'] = {},
): ComputedFigure => ({ value: total > 0 ? (100 * count) / total : null, count, of: total, parts })

/** How each figure is computed from the facts of an operator. Definitions: `contract/health-figures.ts`. */
const figureRules: Readonly<Record<HealthFigureName, (facts: OperatorFacts) => ComputedFigure>> = {
  freshness({ statuses }) {
    const activeFeeds = statuses.flatMap(
      ({ state, freshness_minutes: minutes, promised_minutes: promised }) =>
        state === 'paused' || minutes === null ? [] : [{ minutes, promised }],
    )
    const [latestFeed] = activeFeeds.toSorted((a, b) => b.minutes / b.promised - a.minutes / a.promised)
    return {
      value: latestFeed?.minutes ?? null,
      count: null,
      of: null,
      parts: { promised: latestFeed?.promised ?? null },
    }
  },
  gaps({ days }) {
    const states = days.flatMap((day) => day.states)
    const judgedCount = states.filter(isJudged).length
    const gapCount = states.filter((state) => state === 'gap').length
    return {
      value: judgedCount > 0 ? gapCount : null,
      count: gapCount,
      of: judgedCount,
      parts: { quiet: states.filter((state) => state === 'quiet').length },
    }
  },
  volume({ days, volume }) {
    const parts = { records: sumBy(days, (day) => day.count) }
    return volume
      ? computePercentage(volume.count, volume.usual, parts)
      : { value: null, count: null, of: null, parts }
  },
  illegal_transitions: ({ checks }) =>
    computePercentage(
      sumBy(checks, ({ illegal }) => illegal),
      sumBy(checks, ({ judged }) => judged),
    ),
  orphan_trips({ checks, trips, tripChecks }) {
    const hasEvents = sumBy(checks, ({ late }) => countEvents(late)) > 0
    const hasReports = (trips?.reported ?? 0) > 0
    const parts = {
      without_events: hasEvents ? (trips?.withoutEvents ?? 0) : null,
      without_report: hasReports ? (trips?.withoutReport ?? 0) : null,
      ends_without_start: sumBy(tripChecks, ({ endsWithoutStart }) => endsWithoutStart),
      without_end: trips?.withoutEnd ?? 0,
    }
    // A trip that lacks both report and end counts once. An end without start belongs to no counted trip.
    const withoutReportOrEnd = hasReports ? (trips?.withoutReportOrEnd ?? 0) : parts.without_end
    return computePercentage(
      (parts.without_events ?? 0) + withoutReportOrEnd + parts.ends_without_start,
      (trips?.count ?? 0) + parts.ends_without_start,
      parts,
    )
  },
  silent_vehicles: ({ vehicles }) => ({
    value: vehicles?.silent ?? null,
    count: vehicles?.silent ?? null,
    of: vehicles?.deployed ?? null,
    parts: { lost: vehicles?.lost ?? null },
  }),
  impossible_speeds: ({ checks, trips }) =>
    computePercentage(
      sumBy(checks, ({ jumps }) => jumps),
      sumBy(checks, ({ moves }) => moves),
      { trips: trips?.impossible ?? null },
    ),
  schema_violations: ({ received }) =>
    computePercentage(
      sumBy(received, ({ setAside }) => setAside),
      sumBy(received, ({ accepted, setAside }) => accepted + setAside),
    ),
  duplicates: ({ received }) =>
    computePercentage(
      sumBy(received, ({ repeated }) => repeated),
      sumBy(received, ({ accepted }) => accepted),
    ),
  clock_skew: ({ received, checks }) =>
    computePercentage(
      sumBy(received, ({ skewed }) => skewed),
      sumBy(received, ({ accepted, setAside }) => accepted + setAside),
      { events_ahead: sumBy(checks, ({ ahead }) => ahead) },
    ),
  late_arrival({ checks }) {
    const histogram = checks.flatMap(({ late }) => late)
    return {
      value: computeQuantile(histogram, 0.5),
      count: null,
      of: countEvents(histogram),
      parts: { p95: computeQuantile(histogram, 0.95) },
    }
  },
  agreement({ trips, tripChecks }) {
    const parts = {
      differs: sumBy(tripChecks, ({ differs }) => differs),
      time_differs: sumBy(tripChecks, ({ timeDiffers }) => timeDiffers),
      place_differs: sumBy(tripChecks, ({ placeDiffers }) => placeDiffers),
      compared: sumBy(tripChecks, ({ compared }) => compared),
    }
    return computePercentage(trips?.reportedWithEvents ?? 0, trips?.count ?? 0, parts)
  },
}

/** Computes all figures of an operator, in the order of their definitions. */
export const computeFigures = (facts: OperatorFacts): HealthFigure[] =>
  healthFigureNames.map((figure) => ({ figure, ...figureRules[figure](facts) }))
