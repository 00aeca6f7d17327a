import { deployedStates } from '#contract/vehicle-states.ts'
import { sumsByShapeSql } from '#server/fleet/sums-by-shape.ts'
import { bind, sql } from '#server/stores/sql.ts'
import {
  type DayFigure,
  getSpan,
  createQueryOptions,
  type MeasureInput,
  toWindowSlots,
} from '../measure-input.ts'
import { stateIntervalRows } from '../queries/fact-rows.ts'
import { spanRowsInSlots } from '../queries/time-slots.ts'
import { countFleets } from './fleet.ts'
import { intervalFacts, type MeasureType } from './measure-type.ts'

/** The shape number of figures for an operator's entire mean fleet, the denominator of shares. */
export const entireFleet = -1

interface ShapeTimeRow {
  /** Number of the window, from 1. */
  w: number
  operator: string
  shape: number
  ms: string
}

/** Measures mean vehicles at rest by shape and window; as a share, in percent of the operator's fleet. */
async function measure(input: MeasureInput, isShare: boolean): Promise<DayFigure[]> {
  const { facts, scope, filter, rule, windows, indexes, signal } = input
  const countedStates = rule.policy.vehicle_states ?? deployedStates
  // A vehicle on a trip counts in the entire fleet, but in no shape.
  const restingStates = countedStates.filter((state) => state !== 'on_trip' && state !== 'stopped')
  const slots = toWindowSlots(windows, filter.now)
  const intervalParts = sql`
    select w, operator, lon, lat, part_ends - part_begins as ms
    from (${spanRowsInSlots(stateIntervalRows(filter, getSpan(windows), restingStates), slots)})`
  const [rows, fleets] = await Promise.all([
    facts.rows<ShapeTimeRow>(
      scope,
      sql`
        select w, operator, shape, ms
        from (
          ${sumsByShapeSql({ facts: intervalParts, keys: ['w', 'operator'], sums: ['ms'], indexes, selected: null })}
        )
        where shape between 1 and ${bind('UInt32', rule.shapes.length)}`,
      createQueryOptions(signal),
    ),
    isShare ? countFleets(input, 'avg', countedStates) : [],
  ])
  const fleetByKey = new Map(fleets.map(({ day, operator, value }) => [`${day} ${operator}`, value]))
  const fleetFigures = fleets.map(({ day, operator, value }): DayFigure => ({
    day,
    operator,
    shape: entireFleet,
    measured: value,
    vehicles: value,
    uncertain: 0,
    open: false,
  }))
  const shapeFigures = rows.flatMap(({ w, operator, shape, ms }): DayFigure[] => {
    const vehicles = Number(ms) / ((slots.until[w - 1] as number) - (slots.from[w - 1] as number))
    const fleet = fleetByKey.get(`${w - 1} ${operator}`) ?? 0
    if (isShare && fleet === 0) return []
    return [
      {
        day: w - 1,
        operator,
        shape,
        measured: isShare ? (vehicles / fleet) * 100 : vehicles,
        vehicles,
        uncertain: 0,
        open: false,
      },
    ]
  })
  return [...fleetFigures, ...shapeFigures]
}

/** Measures the fleet in each shape: its mean number of vehicles, or their share. */
export const fleetInShape: MeasureType<'fleet_in_shape'> = {
  name: ({ share }) => (share ? 'percent_of_fleet' : 'vehicles'),
  measure: (input, { share }) => measure(input, share),
  facts: (input) => intervalFacts(input, true),
  isZeroWithoutFigure: true,
}
