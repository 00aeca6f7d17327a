import { dataColours, type Scheme } from '#web/kit/theme.ts'
import { bandOf, batteryColors, type Coloring, stateColors } from '#web/mobility/live/color-by.ts'
import { type FleetColumns, unknownBattery } from '#web/mobility/live/fleet-columns.ts'

/** The colour that one vehicle has on the map. */
export function vehicleColor(
  columns: FleetColumns,
  handle: number,
  by: Coloring,
  operatorColors: ReadonlyMap<string, string>,
  scheme: Scheme,
): string {
  const { noData } = dataColours[scheme]
  if (by === 'state') return stateColors(scheme)[columns.stateOf(handle)]
  if (by === 'operator') return operatorColors.get(columns.groupOf(handle).operator) ?? noData
  const battery = columns.battery[handle]!
  return battery === unknownBattery ? noData : batteryColors(scheme)[bandOf(battery)]!
}
