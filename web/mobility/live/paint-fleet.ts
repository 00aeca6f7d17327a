import { liveStateNames } from '#contract/vehicles.ts'
import { dataColours, type Scheme } from '#web/kit/theme.ts'
import { rgbaOf, type Rgba } from '#web/map/layers/rgba-of.ts'
import { bandOf, batteryColors, type Coloring, stateColors } from './color-by.ts'
import { type FleetColumns, unknownBattery } from './fleet-columns.ts'

interface Painting {
  by: Coloring
  scheme: Scheme
  operatorColors: ReadonlyMap<string, string>
}

/** Places and colours of vehicles as the map takes them. Those without a place are left out. */
export function paintFleet(
  columns: FleetColumns,
  handles: Uint32Array,
  { by, scheme, operatorColors }: Painting,
) {
  const { lon, lat, group, state, battery } = columns
  const none = packed(rgbaOf(dataColours[scheme].noData))
  const byGroup = columns.groups.map(({ operator }) =>
    packed(rgbaOf(operatorColors.get(operator) ?? dataColours[scheme].noData)),
  )
  const byState = liveStateNames.map((name) => packed(rgbaOf(stateColors(scheme)[name])))
  const byBand = batteryColors(scheme).map((color) => packed(rgbaOf(color)))
  const colorOf = (handle: number): number => {
    if (by === 'state') return byState[state[handle]!]!
    if (by === 'battery') return battery[handle] === unknownBattery ? none : byBand[bandOf(battery[handle]!)]!
    return byGroup[group[handle]!]!
  }
  const positions = new Float64Array(handles.length * 2)
  const colors = new Uint32Array(handles.length)
  const drawn = new Uint32Array(handles.length)
  let count = 0
  for (const handle of handles) {
    if (Number.isNaN(lon[handle]! + lat[handle]!)) continue
    positions[2 * count] = lon[handle]!
    positions[2 * count + 1] = lat[handle]!
    colors[count] = colorOf(handle)
    drawn[count] = handle
    count += 1
  }
  return {
    count,
    positions: positions.subarray(0, 2 * count),
    colors: new Uint8ClampedArray(colors.buffer, 0, 4 * count),
    handles: drawn.subarray(0, count),
  }
}

/** Four channels as one number, in the order in which this machine keeps them. */
const packed = (color: Rgba): number => new Uint32Array(new Uint8Array(color).buffer)[0]!
