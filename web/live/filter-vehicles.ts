import { type LiveState, liveStateNames } from '#contract/vehicles.ts'
import type { VehicleType } from '#contract/mobility.ts'
import type { FleetColumns } from './fleet-columns.ts'
import { unknownBattery } from './fleet-columns.ts'
import type { LiveFilters } from './live-filters.ts'

/** The vehicles that match the filters; for each option, how many match the other filters. */
export interface ShownVehicles {
  /** Handles, ascending. */
  handles: Uint32Array
  byOperator: ReadonlyMap<string, number>
  byType: ReadonlyMap<VehicleType, number>
  byState: ReadonlyMap<LiveState, number>
  counts: readonly { operator: string; type: VehicleType; count: number }[]
  /** Number of matching vehicles without a position; only the table has them. */
  placeless: number
}

/** Bits of the filters that a vehicle fails. Each option is counted with all filters but its own. */
const failsOperator = 1
const failsType = 2
const failsState = 4

/**
 * Finds and counts vehicles in a single pass through the columns.
 *
 * @param at The current time, in ms since 1970
 */
export function filterVehicles(columns: FleetColumns, filters: LiveFilters, at: number): ShownVehicles {
  const { size, isThere, group, state, battery, seen, since, lon, lat } = columns
  const failsByGroup = columns.groups.map(
    ({ operator, vehicle_type }) =>
      (filters.operators && !filters.operators.includes(operator) ? failsOperator : 0) |
      (filters.vehicleTypes && !filters.vehicleTypes.includes(vehicle_type) ? failsType : 0),
  )
  const failsByState = liveStateNames.map((name) => (filters.states.includes(name) ? 0 : failsState))
  const { batteryBelow } = filters
  const seenFrom =
    filters.maxSeenMinutes === null ? Number.NEGATIVE_INFINITY : at - filters.maxSeenMinutes * 60_000
  const parkedUntil =
    filters.minParkedMinutes === null ? Number.POSITIVE_INFINITY : at - filters.minParkedMinutes * 60_000
  // The filter by parking duration excludes vehicles on a trip; -1 excludes none.
  const excludedState = filters.minParkedMinutes === null ? -1 : liveStateNames.indexOf('on_trip')
  const handles = new Uint32Array(columns.count)
  // Vehicles by group that match all filters, all but the operator, and all but the type.
  const groups = new Uint32Array(failsByGroup.length)
  const groupsAnyOperator = new Uint32Array(failsByGroup.length)
  const groupsAnyType = new Uint32Array(failsByGroup.length)
  // Vehicles by state that match all filters but the state.
  const states = new Uint32Array(liveStateNames.length)
  let count = 0
  let placeless = 0
  for (let handle = 0; handle < size; handle++) {
    if (isThere[handle] === 0 || seen[handle]! < seenFrom) continue
    if (since[handle]! > parkedUntil || state[handle] === excludedState) continue
    if (batteryBelow !== null && (battery[handle] === unknownBattery || battery[handle]! >= batteryBelow))
      continue
    const groupIndex = group[handle]!
    const stateIndex = state[handle]!
    const fails = failsByGroup[groupIndex]! | failsByState[stateIndex]!
    if ((fails & ~failsOperator) === 0) groupsAnyOperator[groupIndex]! += 1
    if ((fails & ~failsType) === 0) groupsAnyType[groupIndex]! += 1
    if ((fails & ~failsState) === 0) states[stateIndex]! += 1
    if (fails !== 0) continue
    handles[count] = handle
    groups[groupIndex]! += 1
    count += 1
    if (Number.isNaN(lon[handle]! + lat[handle]!)) placeless += 1
  }
  const sumBy = <K>(counts: Uint32Array, getKey: (index: number) => K): Map<K, number> => {
    const sums = new Map<K, number>()
    for (const [index, groupCount] of counts.entries())
      sums.set(getKey(index), (sums.get(getKey(index)) ?? 0) + groupCount)
    return sums
  }
  return {
    handles: handles.subarray(0, count),
    placeless,
    counts: [...groups].flatMap((sum, index) => {
      const { operator, vehicle_type: type } = columns.groups[index]!
      return sum === 0 ? [] : [{ operator, type, count: sum }]
    }),
    byOperator: sumBy(groupsAnyOperator, (index) => columns.groups[index]!.operator),
    byType: sumBy(groupsAnyType, (index) => columns.groups[index]!.vehicle_type),
    byState: sumBy(states, (index) => liveStateNames[index]!),
  }
}
