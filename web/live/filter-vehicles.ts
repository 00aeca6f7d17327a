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
  /** The matching vehicles by operator and type. */
  counts: readonly { operator: string; type: VehicleType; count: number }[]
  /** Number of matching vehicles without a position; only the table has them. */
  placeless: number
}

/** Bits of the filters that a vehicle fails. Each option is counted with all filters but its own. */
const operatorFails = 1
const typeFails = 2
const stateFails = 4

/** Finds and counts in a single pass through the columns. `at`: the current time, in ms since 1970. */
export function filterVehicles(columns: FleetColumns, filters: LiveFilters, at: number): ShownVehicles {
  const { size, isThere, group, state, battery, seen, since, lon, lat } = columns
  const failsByGroup = columns.groups.map(
    ({ operator, vehicle_type }) =>
      (filters.operators && !filters.operators.includes(operator) ? operatorFails : 0) |
      (filters.vehicleTypes && !filters.vehicleTypes.includes(vehicle_type) ? typeFails : 0),
  )
  const failsByState = liveStateNames.map((name) => (filters.states.includes(name) ? 0 : stateFails))
  const { batteryBelow } = filters
  const seenFrom = filters.seenWithin === null ? Number.NEGATIVE_INFINITY : at - filters.seenWithin * 60_000
  const parkedUntil = filters.parkedFor === null ? Number.POSITIVE_INFINITY : at - filters.parkedFor * 60_000
  const onTrip = filters.parkedFor === null ? -1 : liveStateNames.indexOf('on_trip')
  const handles = new Uint32Array(columns.count)
  const [groups, groupsByOperator, groupsByType, states] = [
    new Uint32Array(failsByGroup.length),
    new Uint32Array(failsByGroup.length),
    new Uint32Array(failsByGroup.length),
    new Uint32Array(liveStateNames.length),
  ]
  let [count, placeless] = [0, 0]
  for (let handle = 0; handle < size; handle++) {
    if (isThere[handle] === 0 || seen[handle]! < seenFrom) continue
    if (since[handle]! > parkedUntil || state[handle] === onTrip) continue
    if (batteryBelow !== null && (battery[handle] === unknownBattery || battery[handle]! >= batteryBelow))
      continue
    const [groupIndex, stateIndex] = [group[handle]!, state[handle]!]
    const fails = failsByGroup[groupIndex]! | failsByState[stateIndex]!
    if ((fails & ~operatorFails) === 0) groupsByOperator[groupIndex]! += 1
    if ((fails & ~typeFails) === 0) groupsByType[groupIndex]! += 1
    if ((fails & ~stateFails) === 0) states[stateIndex]! += 1
    if (fails !== 0) continue
    handles[count] = handle
    groups[groupIndex]! += 1
    count += 1
    if (Number.isNaN(lon[handle]! + lat[handle]!)) placeless += 1
  }
  const sumBy = <K>(counts: Uint32Array, getKey: (index: number) => K): Map<K, number> => {
    const sums = new Map<K, number>()
    for (const [index, sum] of counts.entries()) sums.set(getKey(index), (sums.get(getKey(index)) ?? 0) + sum)
    return sums
  }
  return {
    handles: handles.subarray(0, count),
    placeless,
    counts: [...groups].flatMap((sum, index) => {
      const { operator, vehicle_type: type } = columns.groups[index]!
      return sum === 0 ? [] : [{ operator, type, count: sum }]
    }),
    byOperator: sumBy(groupsByOperator, (index) => columns.groups[index]!.operator),
    byType: sumBy(groupsByType, (index) => columns.groups[index]!.vehicle_type),
    byState: sumBy(states, (index) => liveStateNames[index]!),
  }
}
