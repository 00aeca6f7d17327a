import type { HealthFigure } from '#contract/health.ts'
import { healthFigureNames, type HealthFigureName } from '#contract/health-figures.ts'
import type { OperatorFacts } from './operator-facts.ts'
import { quantileOf } from './quantile.ts'

type ComputedFigure = Omit<HealthFigure, 'figure'>

const sum = <Each>(all: readonly Each[], valueOf: (each: Each) => number): number =>
  all.reduce((total, each) => total + valueOf(each), 0)
/** A share in percent; null if there is nothing to divide by. */
const share = (count: number, total: number, parts: HealthFigure['parts'] = {}): ComputedFigure => ({
  value: total > 0 ? (100 * count) / total : null,
  count,
  of: total,
  parts,
})

/** How each figure is computed from the facts of an operator. */
const figureRules: Readonly<Record<HealthFigureName, (facts: OperatorFacts) => ComputedFigure>> = {
  freshness({ statuses }) {
    const active = statuses.flatMap(({ state, freshness_minutes: minutes, promised_minutes: promised }) =>
      state === 'paused' || minutes === null ? [] : [{ minutes, promised }],
    )
    const worst = active.toSorted((a, b) => b.minutes / b.promised - a.minutes / a.promised)[0]
    return {
      value: worst?.minutes ?? null,
      count: null,
      of: null,
      parts: { promised: worst?.promised ?? null },
    }
  },
  gaps({ days }) {
    const states = days.flatMap((day) => day.states)
    const finished = states.filter((state) => state !== 'ahead' && state !== 'none').length
    const gaps = states.filter((state) => state === 'gap').length
    return {
      value: finished > 0 ? gaps : null,
      count: gaps,
      of: finished,
      parts: { quiet: states.filter((state) => state === 'quiet').length },
    }
  },
  volume({ days, volume }) {
    const parts = { records: sum(days, (day) => day.count) }
    return volume ? share(volume.count, volume.usual, parts) : { value: null, count: null, of: null, parts }
  },
  illegal_transitions: ({ checks }) =>
    share(
      sum(checks, (each) => each.illegal),
      sum(checks, (each) => each.judged),
    ),
  orphan_trips({ checks, trips, tripChecks }) {
    const hasEvents = sum(checks, (each) => sum(each.late, ([, count]) => count)) > 0
    const hasReports = (trips?.reported ?? 0) > 0
    const parts = {
      without_events: hasEvents ? (trips?.withoutEvents ?? 0) : null,
      without_report: hasReports ? (trips?.withoutReport ?? 0) : null,
      ends_without_start: sum(tripChecks, (each) => each.endsWithoutStart),
      without_end: trips?.withoutEnd ?? 0,
    }
    const broken = hasReports ? (trips?.withoutReportOrEnd ?? 0) : parts.without_end
    return share(
      (parts.without_events ?? 0) + broken + parts.ends_without_start,
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
    share(
      sum(checks, (each) => each.jumps),
      sum(checks, (each) => each.moves),
      { trips: trips?.impossible ?? null },
    ),
  schema_violations: ({ received }) =>
    share(
      sum(received, (each) => each.setAside),
      sum(received, (each) => each.accepted + each.setAside),
    ),
  duplicates: ({ received }) =>
    share(
      sum(received, (each) => each.repeated),
      sum(received, (each) => each.accepted),
    ),
  clock_skew: ({ received, checks }) =>
    share(
      sum(received, (each) => each.skewed),
      sum(received, (each) => each.accepted + each.setAside),
      { events_ahead: sum(checks, (each) => each.ahead) },
    ),
  late_arrival({ checks }) {
    const late = checks.flatMap((each) => each.late)
    return {
      value: quantileOf(late, 0.5),
      count: null,
      of: sum(late, ([, count]) => count),
      parts: { p95: quantileOf(late, 0.95) },
    }
  },
  agreement({ trips, tripChecks }) {
    const parts = {
      differs: sum(tripChecks, (each) => each.differs),
      time_differs: sum(tripChecks, (each) => each.timeDiffers),
      place_differs: sum(tripChecks, (each) => each.placeDiffers),
      compared: sum(tripChecks, (each) => each.compared),
    }
    return share(trips?.both ?? 0, trips?.count ?? 0, parts)
  },
}

/** Every figure of an operator, in the order of their definitions. */
export const makeFigures = (facts: OperatorFacts): HealthFigure[] =>
  healthFigureNames.map((figure) => ({ figure, ...figureRules[figure](facts) }))
