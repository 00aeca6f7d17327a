import { deployedStates, type VehicleState, vehicleStateNames } from '#contract/vehicle-states.ts'
import { bind, sql } from '#server/stores/sql.ts'
import { getMinCount } from '../../bounds.ts'
import { createQueryOptions, type MeasureInput } from '../measure-input.ts'
import type { Span } from '../queries/fact-rows.ts'
import { operatorRows, intervalRows, type VehicleIntervalsRow, traitRows } from '../queries/interval-rows.ts'
import type { DayMdsRule } from './day-mds-rules.ts'
import type { VehicleInterval, Traits } from './interval.ts'

/** Whether a rule has a minimum count. Then all vehicles are read, to know whether there is a fleet. */
export const needsFleet = (rules: readonly DayMdsRule[]): boolean =>
  rules.some(({ kind, bounds }) => kind === 'count' && getMinCount(bounds) > 0)

/** Lists the states that a rule may count. */
const listCountedStates = ({ states }: DayMdsRule): readonly VehicleState[] =>
  states ? [...states.keys()] : deployedStates

/** Returns which intervals and event types rules need. `types` are vehicle types; null means all. */
function listNeededFields(rules: readonly DayMdsRule[]): {
  states: VehicleState[]
  types: string[] | null
  withEvents: boolean
} {
  const needsEntireFleet = needsFleet(rules)
  const states = new Set([...rules.flatMap(listCountedStates), ...(needsEntireFleet ? deployedStates : [])])
  const types =
    needsEntireFleet || rules.some(({ vehicleTypes }) => vehicleTypes === null)
      ? null
      : [...new Set(rules.flatMap(({ vehicleTypes }) => [...(vehicleTypes ?? [])]))]
  const withEvents = rules.some((rule) =>
    [...(rule.states?.values() ?? [])].some((events) => events.length > 0),
  )
  return { states: vehicleStateNames.filter((state) => states.has(state)), types, withEvents }
}

const nullToNaN = (value: number | null): number => value ?? NaN

/** Finds operators with intervals that begin in a span. */
export const findOperatorsWithIntervals = async (
  { facts, scope, filter }: Pick<MeasureInput, 'facts' | 'scope' | 'filter'>,
  span: Span,
): Promise<string[]> => {
  const query = operatorRows(filter.regionId, span)
  return (await facts.rows<{ operator: string }>(scope, query, createQueryOptions())).map(
    ({ operator }) => operator,
  )
}

/**
 * Reads the intervals of an operator's vehicles that begin in a span and that rules need, grouped by vehicle,
 * each in order of time. `size` is the number of vehicles.
 */
export async function readIntervals(
  {
    facts,
    scope,
    filter,
    indexes,
    signal,
  }: Pick<MeasureInput, 'facts' | 'scope' | 'filter' | 'indexes' | 'signal'>,
  rules: readonly DayMdsRule[],
  operator: string,
  span: Span,
): Promise<{ intervals: VehicleInterval[]; size: number }> {
  const rows = await facts.rows<VehicleIntervalsRow>(
    scope,
    intervalRows({ regionId: filter.regionId, operator, ...listNeededFields(rules) }, span, indexes),
    createQueryOptions(signal),
  )
  rows.sort((a, b) => (a.device_id < b.device_id ? -1 : 1))
  const intervals = rows.flatMap(({ device_id: deviceId, intervals: cells }, vehicle) =>
    cells.map(([at, until, state, types, vehicleType, lon, lat, accuracy, areas]): VehicleInterval => ({
      vehicle,
      deviceId,
      vehicleType,
      at: Number(at),
      until: Number(until),
      state,
      types,
      lon: nullToNaN(lon),
      lat: nullToNaN(lat),
      accuracy: nullToNaN(accuracy),
      areas,
    })),
  )
  return { intervals, size: rows.length }
}

const noTraits: Traits = { propulsionTypes: [], accessibility: [] }

/**
 * Reads the propulsion and accessibility of an operator's vehicles. Returns a function that finds them by
 * device id; they are empty if no rule needs them.
 */
export async function readTraits(
  { facts, scope, filter }: Pick<MeasureInput, 'facts' | 'scope' | 'filter'>,
  rules: readonly DayMdsRule[],
  operator: string,
): Promise<(deviceId: string) => Traits> {
  if (!rules.some(({ propulsionTypes, accessibilityOptions }) => propulsionTypes ?? accessibilityOptions))
    return () => noTraits
  const rows = await facts.rows<{ device_id: string; propulsion_types: string[]; accessibility: string[] }>(
    scope,
    sql`
      select toString(device_id) as device_id, propulsion_types, accessibility
      from (${traitRows(filter.regionId)})
      where operator = ${bind('String', operator)}`,
    createQueryOptions(),
  )
  const traitsByDevice = new Map(
    rows.map((row): [string, Traits] => [
      row.device_id,
      { propulsionTypes: row.propulsion_types, accessibility: row.accessibility },
    ]),
  )
  return (deviceId) => traitsByDevice.get(deviceId) ?? noTraits
}
