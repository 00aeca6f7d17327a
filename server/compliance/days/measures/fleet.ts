import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber } from '#contract/period.ts'
import type { VehicleCountMethod } from '#contract/policy.ts'
import { deployedStates, type VehicleState } from '#contract/vehicle-states.ts'
import { listOperatingPeriods } from '#server/fleet/fleet-size/operating-periods.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import {
  type DayFigure,
  getSpan,
  createQueryOptions,
  type MeasureInput,
  toWindowSlots,
} from '../measure-input.ts'
import { stateIntervalRows } from '../queries/fact-rows.ts'
import { dayStep, hourStep, type TimeSlots, spanRowsInSlots } from '../queries/time-slots.ts'
import { intervalFacts, type MeasureType } from './measure-type.ts'

/** The size of an operator's fleet in a window; an integer for the method `max` only. */
export interface FleetOfDay {
  /** Index of the window. */
  day: number
  operator: string
  value: number
  /** The value as numerator and denominator: vehicle-ms and ms, or vehicles and 1. */
  ratio: readonly [number, number]
}

const makeFleetOfDay = (day: number, operator: string, count: number, totalMs: number): FleetOfDay => ({
  day,
  operator,
  value: count / totalMs,
  ratio: [count, totalMs],
})

/** Start and end, ms. */
type Range = readonly [number, number]

interface FleetRow {
  /** Number of the window or hour, from 1. */
  w: number
  operator: string
  value: string | number
}

const sumMs = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, [from, until]) => sum + until - from, 0)
const bindRangeSides = (ranges: readonly (readonly Range[])[], side: 0 | 1): Sql =>
  sql`${bind(
    'Array(Array(Int64))',
    ranges.map((rangesOfWindow) => rangesOfWindow.map((range) => range[side])),
  )}`

/** Builds SQL for the vehicle-ms within ranges of each window. */
const vehicleMsRows = (rows: Sql, slots: TimeSlots, ranges: readonly (readonly Range[])[]): Sql => sql`
  select
    w,
    operator,
    sum(
      arraySum(
        arrayMap(
          (opens, shuts) -> greatest(0, least(shuts, part_ends) - greatest(opens, part_begins)),
          arrayElement(${bindRangeSides(ranges, 0)}, w),
          arrayElement(${bindRangeSides(ranges, 1)}, w)
        )
      )
    ) as value
  from (${spanRowsInSlots(rows, slots)})
  group by w, operator`

/** Builds SQL for the number of the first full minute at or after a moment, ms. */
const minuteColumn = (moment: Sql): Sql => sql`intDiv(${moment} + 59999, 60000)`

/** Builds SQL for the largest number of vehicles at any full minute of each window. */
const peakCountRows = (rows: Sql, slots: TimeSlots): Sql => sql`
  with
    -- the minutes at which a vehicle is added (1) or removed (-1)
    changes as (
      select
        w,
        operator,
        arrayJoin(
          [(${minuteColumn(sql`part_begins`)}, toInt64(1)), (${minuteColumn(sql`part_ends`)}, toInt64(-1))]
        ) as step,
        step.1 as minute,
        step.2 as change
      from (${spanRowsInSlots(rows, slots)})
    ),
    -- the number of vehicles from each of these minutes on
    counts as (
      select
        w,
        operator,
        minute,
        sum(sum(change)) over (
          partition by w, operator
          order by minute
          rows between unbounded preceding and current row
        ) as vehicles
      from changes
      where minute < ${minuteColumn(sql`arrayElement(${bind('Array(Int64)', slots.until)}, w)`)}
      group by w, operator, minute
    )
  select w, operator, max(vehicles) as value
  from counts
  group by w, operator`

/** Splits windows into clock hours. `window` has the index of the window for each hour. */
function splitIntoHours(
  { from, until }: TimeSlots,
  timezone: string,
): { slots: TimeSlots; window: number[] } {
  const clock = civilClock(timezone)
  const hours: { from: number; until: number; window: number }[] = []
  for (const [index, begin] of from.entries())
    for (let hour = begin; hour < (until[index] as number);) {
      const next = hour + hourStep - ((clock.local(hour).seconds * 1000 + (hour % 1000)) % hourStep)
      hours.push({ from: hour, until: Math.min(next, until[index] as number), window: index })
      hour = next
    }
  return {
    slots: { from: hours.map(({ from }) => from), until: hours.map(({ until }) => until), step: hourStep },
    window: hours.map(({ window }) => window),
  }
}

/** Number of windows read by one query, because each row is compared with the hours around its own time. */
const hourWindowsPerQuery = 7

/** Finds the largest mean fleet of an hour, by window and operator. */
async function findLargestHours(
  { facts, scope, signal, region }: Pick<MeasureInput, 'facts' | 'scope' | 'region' | 'signal'>,
  rows: Sql,
  slots: TimeSlots,
): Promise<FleetOfDay[]> {
  const largest = new Map<string, FleetOfDay>()
  for (let start = 0; start < slots.from.length; start += hourWindowsPerQuery) {
    const weekSlots: TimeSlots = {
      from: slots.from.slice(start, start + hourWindowsPerQuery),
      until: slots.until.slice(start, start + hourWindowsPerQuery),
      step: dayStep,
    }
    const hours = splitIntoHours(weekSlots, region.timezone)
    if (!hours.slots.from.length) continue
    const fleetRows = await facts.rows<FleetRow>(
      scope,
      sql`
        select w, operator, sum(part_ends - part_begins) as value
        from (${spanRowsInSlots(rows, hours.slots)})
        group by w, operator`,
      createQueryOptions(signal),
    )
    for (const { w, operator, value } of fleetRows) {
      const day = start + (hours.window[w - 1] as number)
      const hourMs = (hours.slots.until[w - 1] as number) - (hours.slots.from[w - 1] as number)
      const mean = makeFleetOfDay(day, operator, Number(value), hourMs)
      const key = `${day} ${operator}`
      if (mean.value > (largest.get(key)?.value ?? 0)) largest.set(key, mean)
    }
  }
  return [...largest.values()]
}

/**
 * Returns the fleet size of each operator in each window, counting vehicles in the states by one of the four
 * methods (docs/metrics.md, Fleet size). Operators without vehicles are omitted.
 */
export async function countFleets(
  input: Pick<MeasureInput, 'facts' | 'scope' | 'filter' | 'region' | 'windows' | 'signal'>,
  method: VehicleCountMethod,
  states: readonly VehicleState[],
  windows = input.windows,
): Promise<FleetOfDay[]> {
  const { facts, scope, filter, region, signal } = input
  const slots = toWindowSlots(windows, filter.now)
  const rows = stateIntervalRows(filter, getSpan(windows), states)
  if (method === 'sae_max') return findLargestHours(input, rows, slots)
  const runQuery = (query: Sql): Promise<FleetRow[]> =>
    facts.rows<FleetRow>(scope, query, createQueryOptions(signal))
  if (method === 'max')
    return (await runQuery(peakCountRows(rows, slots)))
      .map(({ w, operator, value }) => makeFleetOfDay(w - 1, operator, Number(value), 1))
      .filter(({ value }) => value > 0)
  const getWindowMs = (w: number): number => (slots.until[w - 1] as number) - (slots.from[w - 1] as number)
  if (method === 'avg')
    return (
      await runQuery(
        sql`
          select w, operator, sum(part_ends - part_begins) as value
          from (${spanRowsInSlots(rows, slots)})
          group by w, operator`,
      )
    )
      .map(({ w, operator, value }) => makeFleetOfDay(w - 1, operator, Number(value), getWindowMs(w)))
      .filter(({ value }) => value > 0)
  const ranges = slots.from.map((from, index): readonly Range[] => {
    const until = slots.until[index] as number
    return until > from
      ? listOperatingPeriods({
          from,
          until,
          timezone: region.timezone,
          operatingFrom: region.operatingHours.from,
          operatingUntil: region.operatingHours.until,
        })
      : []
  })
  return (await runQuery(vehicleMsRows(rows, slots, ranges)))
    .map(({ w, operator, value }) =>
      makeFleetOfDay(w - 1, operator, Number(value), Math.max(1, sumMs(ranges[w - 1] ?? []))),
    )
    .filter(({ value }) => value > 0)
}

const quarterMs = sql`toInt64(900000)`

/** Finds `day operator` keys with vehicles in the right of way, as shortfalls require (decision 2). */
export async function findPresentOperators(input: MeasureInput): Promise<Set<string>> {
  const clock = civilClock(input.region.timezone)
  const getMidnight = (localDayNumber: number): number => clock.instant(localDayNumber, 0).ms
  const days = input.windows.map((window) => ({
    ...window,
    from: getMidnight(dayNumber(window.day)),
    until: getMidnight(dayNumber(window.day) + 1),
  }))
  // All vehicle types count, because an operator without vehicles of the policy's types has a shortfall too.
  const { facts, scope, signal } = input
  const filter = { ...input.filter, policy: { vehicle_types: [], propulsion_types: [] } }
  // Days begin at a quarter hour in all time zones, so intervals are merged by quarter hour.
  const quarterRows = sql`
  with
    -- renamed, because the quarter hours have the names of the columns
    intervals as (
      select operator, begins as first, ends as last
      from (${stateIntervalRows(filter, getSpan(days), deployedStates)})
    )
  select
    operator,
    intDiv(first, ${quarterMs}) * ${quarterMs} as begins,
    intDiv(last + ${quarterMs} - 1, ${quarterMs}) * ${quarterMs} as ends
  from intervals
  where last > first
  group by operator, begins, ends`
  const rows = await facts.rows<{ w: number; operator: string }>(
    scope,
    sql`select distinct w, operator from (${spanRowsInSlots(quarterRows, toWindowSlots(days, filter.now))})`,
    createQueryOptions(signal),
  )
  return new Set(rows.map(({ w, operator }) => `${w - 1} ${operator}`))
}

async function measure(input: MeasureInput, method: VehicleCountMethod): Promise<DayFigure[]> {
  const fleetRows = await countFleets(input, method, input.rule.policy.vehicle_states ?? deployedStates)
  return fleetRows.map(({ day, operator, value }) => ({
    day,
    operator,
    shape: 0,
    measured: value,
    vehicles: value,
    uncertain: 0,
    open: false,
  }))
}

/** Measures the size of each operator's fleet. */
export const fleet: MeasureType<'fleet'> = {
  name: () => 'vehicles',
  measure: (input, { method }) => measure(input, method),
  facts: (input) => intervalFacts(input, false),
  places: 'whole',
  isZeroWithoutFigure: true,
  cannotRecover: ({ method }) => method === 'max',
}
