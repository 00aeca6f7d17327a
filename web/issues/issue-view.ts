import type { IssuePoints } from '#contract/issues.ts'
import { createSignal } from '#web/data/signals.ts'
import type { Scheme } from '#web/kit/theme.ts'
import type { FleetPoints, FleetSource } from '#web/map/layers/fleet-points.ts'
import { toRgba } from '#web/map/layers/colors.ts'
import { toIssueKey, toMark } from './issue-key.ts'
import { getMarkLevel, type PlaceMarks, placeMarks } from './place-marks.ts'

/** What the view depends on. Callers pass unchanged parts as the same objects, so that nothing is computed twice. */
export interface ViewInput {
  /** Null if nothing is drawn. */
  points: IssuePoints | null
  /** Color of a point (#RRGGBB) by its index; must be the same function while the colors are the same. */
  getColor: (points: IssuePoints, index: number) => string
  scheme: Scheme
  zoom: number
  /** Position of the selection ring. */
  selected: { lon: number; lat: number } | null
}

/** Issues as the map draws them, outside of React, recomputed only as far as necessary. */
export class IssueView implements FleetSource {
  readonly #drawn = createSignal<FleetPoints | null>(null)
  #input: ViewInput | null = null
  #marks: PlaceMarks | null = null
  #painted: Pick<FleetPoints, 'count' | 'positions' | 'colors' | 'getId' | 'clusters' | 'stations'> | null =
    null

  readonly read = (): FleetPoints | null => this.#drawn.read()
  readonly watch = (listener: () => void): (() => void) => this.#drawn.watch(listener)
  update(input: ViewInput): void {
    const earlier = this.#input
    this.#input = input
    const { points, getColor, scheme, zoom, selected } = input
    if (!points) {
      this.#drawn.write(null)
      return
    }
    const count = points.id.length
    // Stacks do not depend on colors, but clusters do.
    const arePlacesUnchanged =
      this.#marks !== null &&
      earlier?.points === points &&
      (earlier.getColor === getColor || this.#marks.clusters.length === 0) &&
      getMarkLevel(earlier.zoom, count) === getMarkLevel(zoom, count)
    const marks =
      arePlacesUnchanged && this.#marks
        ? this.#marks
        : placeMarks(points, getMarkLevel(zoom, count), (index) => getColor(points, index))
    const isPaintingUnchanged =
      this.#painted !== null && marks === this.#marks && earlier?.getColor === getColor
    this.#marks = marks
    const painted = isPaintingUnchanged && this.#painted ? this.#painted : paintMarks(points, marks, getColor)
    this.#painted = painted
    const isUnchanged =
      isPaintingUnchanged &&
      earlier?.scheme === scheme &&
      earlier.selected?.lon === selected?.lon &&
      earlier.selected?.lat === selected?.lat
    if (!isUnchanged || this.#drawn.read() === null)
      this.#drawn.write({ scheme, selected, userLocation: null, ...painted })
  }
}

/** Returns the marks of issues as arrays for the map: single ones, stacks and clusters. */
function paintMarks(
  points: IssuePoints,
  { alone, stacks, clusters }: PlaceMarks,
  getColor: ViewInput['getColor'],
) {
  const markId = (index: number): string =>
    toMark(toIssueKey(points.sources[points.source[index]!]!, points.id[index]!))
  const positions = new Float64Array(alone.length * 2)
  const colors = new Uint8ClampedArray(alone.length * 4)
  const rgbaByColor = new Map<string, readonly number[]>()
  for (const [position, index] of alone.entries()) {
    const color = getColor(points, index)
    const rgba = rgbaByColor.get(color) ?? toRgba(color)
    rgbaByColor.set(color, rgba)
    positions[2 * position] = points.lon[index]!
    positions[2 * position + 1] = points.lat[index]!
    colors.set(rgba, 4 * position)
  }
  return {
    count: alone.length,
    positions,
    colors,
    getId: (position: number) => markId(alone[position]!),
    clusters,
    stations: stacks.map(({ lon, lat, count, first }) => ({
      id: markId(first),
      lon,
      lat,
      text: String(count),
      isEmpty: false,
    })),
  }
}
