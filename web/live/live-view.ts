import { liveStateNames } from '#contract/vehicles.ts'
import { createSignal } from '#web/data/signals.ts'
import { type Scheme, dataColors } from '#web/kit/theme.ts'
import type {
  FleetCluster,
  FleetPoints,
  FleetSource,
  UserLocation,
  StationMark,
} from '#web/map/layers/fleet-points.ts'
import { clusterGrid, clusterZoom } from '#web/map/cluster-grid.ts'
import { toRgba, type Rgba } from '#web/map/layers/colors.ts'
import { type Coloring, getBatteryBand, batteryColors, stateColors } from './color-by.ts'
import { type FleetColumns, unknownBattery } from './fleet-columns.ts'
import type { LiveFilters } from './live-filters.ts'
import { filterVehicles, type ShownVehicles } from './filter-vehicles.ts'

interface Painting {
  by: Coloring
  scheme: Scheme
  operatorColors: ReadonlyMap<string, string>
}

/** Returns the colors in use, and for each vehicle the index of its color. */
function getColoring(columns: FleetColumns, { by, scheme, operatorColors }: Painting) {
  const { group, state, battery } = columns
  const noDataColor = dataColors[scheme].noData
  if (by === 'state') {
    const colors = liveStateNames.map((name) => stateColors(scheme)[name])
    return { colors, getColorIndex: (handle: number): number => state[handle]! }
  }
  if (by === 'battery') {
    const bands = batteryColors(scheme)
    const getColorIndex = (handle: number): number =>
      battery[handle] === unknownBattery ? bands.length : getBatteryBand(battery[handle]!)
    return { colors: [...bands, noDataColor], getColorIndex }
  }
  const slugs = [...operatorColors.keys()]
  const operators = columns.groups.map(({ operator }) =>
    operatorColors.has(operator) ? slugs.indexOf(operator) : slugs.length,
  )
  return {
    colors: [...operatorColors.values(), noDataColor],
    getColorIndex: (handle: number): number => operators[group[handle]!]!,
  }
}

/** Positions and colors of vehicles for the map; vehicles without a position are omitted. */
export function paintFleet(columns: FleetColumns, handles: Uint32Array, painting: Painting) {
  const { lon, lat } = columns
  const { colors: palette, getColorIndex } = getColoring(columns, painting)
  const packedColors = palette.map((color) => packColor(toRgba(color)))
  const positions = new Float64Array(handles.length * 2)
  const colors = new Uint32Array(handles.length)
  const drawnHandles = new Uint32Array(handles.length)
  let count = 0
  for (const handle of handles) {
    if (Number.isNaN(lon[handle]! + lat[handle]!)) continue
    positions[2 * count] = lon[handle]!
    positions[2 * count + 1] = lat[handle]!
    colors[count] = packedColors[getColorIndex(handle)]!
    drawnHandles[count] = handle
    count += 1
  }
  return {
    count,
    positions: positions.subarray(0, 2 * count),
    colors: new Uint8ClampedArray(colors.buffer, 0, 4 * count),
    handles: drawnHandles.subarray(0, count),
  }
}

/** Merges nearby vehicles to clusters, with the colors of their vehicles in the order of the legend. */
function groupFleet(columns: FleetColumns, handles: Uint32Array, zoom: number, painting: Painting) {
  const { colors, getColorIndex } = getColoring(columns, painting)
  const { alone, clusters } = clusterGrid(columns, handles, Math.floor(zoom * 2) / 2, {
    getKind: getColorIndex,
  })
  return {
    alone,
    clusters: clusters.map(({ lon, lat, count, kinds }): FleetCluster => {
      const segments = [...kinds.keys()]
        .toSorted((a, b) => a - b)
        .map((kind) => ({ color: colors[kind]!, count: kinds.get(kind)! }))
      return { lon, lat, count, parts: segments }
    }),
  }
}

/** Packs four channels into one number, in the byte order of the machine. */
const packColor = (color: Rgba): number => new Uint32Array(new Uint8Array(color).buffer)[0]!

/** What the view depends on. Unchanged parts retain their identity, so that nothing is computed twice. */
export interface ViewInput {
  filters: LiveFilters
  coloring: Coloring
  operatorColors: ReadonlyMap<string, string>
  scheme: Scheme
  zoom: number
  stations: readonly StationMark[]
  /** Id of the selected vehicle. */
  selected: string | null
  /** The user's position; null if unknown. */
  userLocation: UserLocation | null
  /** The current time in ms since 1970, for the filter by last contact. */
  at: number
}

const noClusters: readonly FleetCluster[] = []

/** The vehicles of map and panel, derived from the columns and recomputed only as far as necessary. */
export class LiveView implements FleetSource {
  readonly #columns: FleetColumns
  readonly #points = createSignal<FleetPoints | null>(null)
  readonly shown = createSignal<ShownVehicles | null>(null)
  #input: ViewInput | null = null

  constructor(columns: FleetColumns) {
    this.#columns = columns
  }

  readonly read = (): FleetPoints | null => this.#points.read()
  readonly watch = (listener: () => void): (() => void) => this.#points.watch(listener)

  /** Called when the columns have changed. */
  refresh(): void {
    if (!this.#input) return
    this.#pick(this.#input)
    this.#draw(this.#input)
  }
  update(input: ViewInput): void {
    const previous = this.#input
    this.#input = input
    const isSelectionUnchanged =
      previous !== null &&
      this.shown.read() !== null &&
      previous.filters === input.filters &&
      (previous.at === input.at ||
        (input.filters.maxSeenMinutes === null && input.filters.minParkedMinutes === null))
    if (!isSelectionUnchanged) this.#pick(input)
    // Clusters change at half zoom levels; from `clusterZoom` on there are none.
    const drawingLevel = (zoom: number): number => (zoom >= clusterZoom ? clusterZoom : Math.floor(zoom * 2))
    const isDrawingUnchanged =
      isSelectionUnchanged &&
      previous.coloring === input.coloring &&
      previous.operatorColors === input.operatorColors &&
      previous.scheme === input.scheme &&
      previous.stations === input.stations &&
      previous.selected === input.selected &&
      drawingLevel(previous.zoom) === drawingLevel(input.zoom)
    if (!isDrawingUnchanged) this.#draw(input)
    else if (previous.userLocation !== input.userLocation) this.#moveUser(input.userLocation)
  }

  /** Finds the vehicles that match the filters. */
  #pick({ filters, at }: ViewInput): void {
    this.shown.write(filterVehicles(this.#columns, filters, at))
  }

  #moveUser(userLocation: UserLocation | null): void {
    const points = this.#points.read()
    if (points) this.#points.write({ ...points, userLocation })
  }

  #draw({ coloring, operatorColors, scheme, zoom, stations, selected, userLocation }: ViewInput): void {
    const shown = this.shown.read()
    if (!shown) return
    const columns = this.#columns
    const isClustered = zoom < clusterZoom
    const painting = { by: coloring, scheme, operatorColors }
    const { alone, clusters } = isClustered
      ? groupFleet(columns, shown.handles, zoom, painting)
      : { alone: shown.handles, clusters: noClusters }
    const { count, positions, colors, handles } = paintFleet(columns, alone, painting)
    const handle = selected === null ? -1 : columns.find(selected)
    const selectedPlace = handle < 0 ? null : { lon: columns.lon[handle]!, lat: columns.lat[handle]! }
    this.#points.write({
      scheme,
      count,
      positions,
      colors,
      getId: (index) => columns.getId(handles[index]!),
      clusters,
      stations,
      userLocation,
      selected: selectedPlace && !Number.isNaN(selectedPlace.lon + selectedPlace.lat) ? selectedPlace : null,
    })
  }
}
