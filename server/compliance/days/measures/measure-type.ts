import type { ComplianceFact, ComplianceMeasure } from '#contract/compliance.ts'
import { deployedStates } from '#contract/vehicle-states.ts'
import { type Sql, sql } from '#server/stores/sql.ts'
import type { DayMeasure } from '../day-rule.ts'
import { type DayFigure, type Measuring, piecesOf, spanOf } from '../measuring.ts'
import { parkingRows, standingRows } from '../queries/fact-rows.ts'
import { inAreas } from '#server/geography/face-sql.ts'
import { byGround } from '../queries/in-grounds.ts'
import { spansInPieces } from '../queries/pieces.ts'
import { placedEvents } from './count-events.ts'

export type MeasureKind = Exclude<DayMeasure['kind'], 'fee'>
export type MeasureOf<Kind extends MeasureKind> = Extract<DayMeasure, { kind: Kind }>

/** Facts that were counted, to be listed: rows with `w`, `ground`, `begins`, `ends` (0: none), `value` and `breaks`, and the columns of a fact. */
export interface FactQuestion {
  kind: ComplianceFact['kind']
  rows: Sql
}

/** One kind of measure: how days are measured, and how what was measured is evaluated. */
export interface MeasureType<Kind extends MeasureKind> {
  /** The name of what is counted. */
  name: (measure: MeasureOf<Kind>) => ComplianceMeasure
  measure: (measuring: Measuring, measure: MeasureOf<Kind>) => Promise<DayFigure[]>
  /** The facts that are counted; absent if no query returns them (trips with routes, imported rules). */
  facts?: (measuring: Measuring) => FactQuestion | Promise<FactQuestion>
  /** Measured in all shapes together (`union`), or in the region whatever the place (`whole`); by default in each shape. */
  places?: 'union' | 'whole'
  /** Whether a day without a figure has zero; by default there is nothing to measure. */
  isZeroWithoutFigure?: boolean
  /** Whether a day that is over the maximum stays over it, whatever the rest of the day brings. */
  staysOver?: (measure: MeasureOf<Kind>) => boolean
  /** Whether nothing can be found without a maximum. */
  needsMaximum?: boolean
  /** Whether single facts break the rule, so that only those can be listed. */
  hasBreakingFacts?: boolean
  /** Whether its facts are single trips, which are personal data. */
  tellsTrips?: boolean
}

export const minutes = sql`(ends - begins) / 60000`
/** The value of facts that have none. */
export const noValue = sql`nan`
export const anywhere = (rows: Sql): Sql => sql`select *, toUInt32(0) as ground from (${rows})`
/** Facts with their value and whether they break the rule. */
export const withValue = (rows: Sql, value: Sql, breaks: Sql): Sql =>
  sql`select *, ${value} as value, ${breaks} as breaks from (${rows})`

/** Intervals in the states that a policy counts. */
export function intervalFacts(measuring: Measuring, isInShape: boolean): FactQuestion {
  const { asked, rule, windows, indexes } = measuring
  // On a trip a vehicle counts in the whole fleet, and in no single shape.
  const states = (rule.policy.vehicle_states ?? deployedStates).filter(
    (state) => !isInShape || (state !== 'on_trip' && state !== 'stopped'),
  )
  const spans = sql`select * except(begins, ends), part_begins as begins, part_ends as ends from (${spansInPieces(standingRows(asked, spanOf(windows), states), piecesOf(windows, asked.now))})`
  return {
    kind: 'interval',
    rows: withValue(isInShape ? byGround(inAreas(spans, indexes), false) : anywhere(spans), minutes, sql`0`),
  }
}

/** Parking events in the grounds. */
export const parkingFacts = (measuring: Measuring, breaks: Sql): FactQuestion => ({
  kind: 'parking_event',
  rows: withValue(
    placedEvents(measuring, parkingRows(measuring.asked, spanOf(measuring.windows))),
    minutes,
    breaks,
  ),
})
