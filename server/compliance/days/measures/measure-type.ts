import type { ComplianceFact, ComplianceMeasure } from '#contract/compliance.ts'
import { deployedStates } from '#contract/vehicle-states.ts'
import { type Sql, sql } from '#server/stores/sql.ts'
import type { DayMeasure } from '../day-rule.ts'
import { type DayFigure, type MeasureInput, toWindowSlots, getSpan } from '../measure-input.ts'
import { parkingRows, stateIntervalRows } from '../queries/fact-rows.ts'
import { inAreas } from '#server/geography/membership/face-sql.ts'
import { shapeRows } from '../queries/by-shape.ts'
import { spanRowsInSlots } from '../queries/time-slots.ts'
import { placedEventRows } from './count-events.ts'

export type MeasureKind = Exclude<DayMeasure['kind'], 'fee'>
export type MeasureOf<Kind extends MeasureKind> = Extract<DayMeasure, { kind: Kind }>

/**
 * A query of the facts that a measure counts. Rows have `w`, `shape`, `begins`, `ends` (0 if none), `value`,
 * `breaks` (whether the fact violates the rule) and the columns of a fact.
 */
export interface FactQuery {
  kind: ComplianceFact['kind']
  rows: Sql
}

/** The implementation of a kind of measure: how days are measured, and how the result is evaluated. */
export interface MeasureType<Kind extends MeasureKind> {
  /** Returns the public name of the measure. */
  name: (measure: MeasureOf<Kind>) => ComplianceMeasure
  measure: (input: MeasureInput, measure: MeasureOf<Kind>) => Promise<DayFigure[]>
  /** The query of counted facts; absent if no query returns them (trips with routes, imported rules). */
  facts?: (input: MeasureInput) => FactQuery | Promise<FactQuery>
  /** Where it is measured: all shapes combined (`union`), the region (`whole`), or else each shape. */
  places?: 'union' | 'whole'
  /** Whether a day without a figure counts as zero; by default there was nothing to measure. */
  isZeroWithoutFigure?: boolean
  /** Whether a day that exceeds the maximum at some time cannot come below it later. */
  cannotRecover?: (measure: MeasureOf<Kind>) => boolean
  /** Whether there are no violations without a maximum. */
  needsMaximum?: boolean
  /** Whether single facts violate the rule, so that a list can be limited to violations. */
  hasBreakingFacts?: boolean
  /** Whether its facts are single trips, which are personal data. */
  listsTrips?: boolean
}

/** SQL of the duration of a fact in minutes. */
export const minutesColumn = sql`(ends - begins) / 60000`
/** SQL value of facts without a value. */
export const noValue = sql`nan`
/** Builds SQL for facts that are not divided by shape: all are in shape 0. */
export const unshapedRows = (rows: Sql): Sql => sql`select *, toUInt32(0) as shape from (${rows})`
/** Builds SQL for facts with their value and whether they violate the rule. */
export const valueRows = (rows: Sql, value: Sql, breaks: Sql): Sql =>
  sql`select *, ${value} as value, ${breaks} as breaks from (${rows})`

/** Builds the query of intervals in the states of a policy: within shapes, or of the entire fleet. */
export function intervalFacts(input: MeasureInput, isInShape: boolean): FactQuery {
  const { filter, rule, windows, indexes } = input
  // A vehicle on a trip counts in the entire fleet, but in no shape.
  const states = (rule.policy.vehicle_states ?? deployedStates).filter(
    (state) => !isInShape || (state !== 'on_trip' && state !== 'stopped'),
  )
  const spans = sql`
    select * except(begins, ends), part_begins as begins, part_ends as ends
    from (
      ${spanRowsInSlots(stateIntervalRows(filter, getSpan(windows), states), toWindowSlots(windows, filter.now))}
    )`
  return {
    kind: 'interval',
    rows: valueRows(
      isInShape ? shapeRows(inAreas(spans, indexes), false) : unshapedRows(spans),
      minutesColumn,
      sql`0`,
    ),
  }
}

/** Builds the query of parking events in the shapes. */
export const parkingFacts = (input: MeasureInput, breaks: Sql): FactQuery => ({
  kind: 'parking_event',
  rows: valueRows(
    placedEventRows(input, parkingRows(input.filter, getSpan(input.windows))),
    minutesColumn,
    breaks,
  ),
})
