import { dayMs, hourMs, minuteMs } from '#contract/period.ts'
import { bind, sql } from '#server/stores/sql.ts'
import {
  type DayFigure,
  getSpan,
  createQueryOptions,
  type MeasureInput,
  toWindowSlots,
} from '../measure-input.ts'
import { parkingRows } from '../queries/fact-rows.ts'
import { inAreas } from '#server/geography/membership/face-sql.ts'
import { momentRowsInSlots } from '../queries/time-slots.ts'
import { countEvents } from './count-events.ts'
import { unshapedRows, type MeasureType, minutesColumn, parkingFacts, valueRows } from './measure-type.ts'

const unitMs: Readonly<Record<string, number>> = { days: dayMs, hours: hourMs, minutesColumn: minuteMs }

/** Returns the longest allowed parking time, ms; infinite without a limit. */
export const getMaxParkingMs = ({ policy: { maximum, unit } }: MeasureInput['rule']): number =>
  maximum === null ? Infinity : maximum * (unitMs[unit ?? 'hours'] ?? hourMs)

/** Measures parking events that begin in a shape, such as of a no-parking policy. */
export const parked: MeasureType<'parked'> = {
  name: () => 'parking_events',
  measure: (input) => countEvents(input, parkingRows(input.filter, getSpan(input.windows)), sql`true`),
  facts: (input) => parkingFacts(input, sql`1`),
  hasBreakingFacts: true,
}

/** Measures parking events in a shape that exceed the time limit. */
export const parkedLonger: MeasureType<'parked_longer'> = {
  name: () => 'long_parking_events',
  async measure(input) {
    const limitMs = getMaxParkingMs(input.rule)
    if (limitMs === Infinity) return []
    const limit = bind('Int64', String(Math.round(limitMs)))
    return countEvents(
      input,
      parkingRows(input.filter, getSpan(input.windows)),
      sql`length > ${limit}`,
      sql`is_open and length <= ${limit}`,
    )
  },
  facts(input) {
    const limitMs = getMaxParkingMs(input.rule)
    return parkingFacts(
      input,
      limitMs === Infinity ? sql`0` : sql`length > ${bind('Int64', String(Math.round(limitMs)))}`,
    )
  },
  needsMaximum: true,
  hasBreakingFacts: true,
}

interface ShareRow {
  /** Number of the window, from 1. */
  w: number
  operator: string
  events: string
  /** Number of events in the shapes. */
  inside: string
  vehicles: string
}

/** Builds SQL for parking events in the windows, with the `areas` that contain them. */
const placedParkingRows = ({ filter, windows, indexes }: MeasureInput) =>
  inAreas(
    momentRowsInSlots(parkingRows(filter, getSpan(windows)), toWindowSlots(windows, filter.now)),
    indexes,
  )

/** Measures the percent of parking events that begin in the shapes. Operators without any are omitted. */
async function measureShare(input: MeasureInput): Promise<DayFigure[]> {
  const { facts, scope, signal } = input
  const rows = await facts.rows<ShareRow>(
    scope,
    sql`
      select
        w, operator, count() as events, countIf(notEmpty(areas)) as inside, uniqExact(device_id) as vehicles
      from (${placedParkingRows(input)})
      group by w, operator`,
    createQueryOptions(signal),
  )
  return rows.map(({ w, operator, events: total, inside, vehicles }) => ({
    day: w - 1,
    operator,
    shape: 0,
    measured: (Number(inside) / Number(total)) * 100,
    vehicles: Number(vehicles),
    uncertain: 0,
    open: false,
  }))
}

/** Measures the share of parking in the shapes. A listed event breaks the rule if it is outside of them. */
export const parkedShare: MeasureType<'parked_share'> = {
  name: () => 'percent_of_parking',
  measure: measureShare,
  facts: (input) => ({
    kind: 'parking_event',
    rows: valueRows(unshapedRows(placedParkingRows(input)), minutesColumn, sql`empty(areas)`),
  }),
  places: 'union',
  hasBreakingFacts: true,
}
