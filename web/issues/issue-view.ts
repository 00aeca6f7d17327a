import type { IssuePoints } from '#contract/issues.ts'
import { createSignal } from '#web/data/signals.ts'
import type { Scheme } from '#web/kit/theme.ts'
import type { FleetPoints, FleetSource } from '#web/map/layers/fleet-points.ts'
import { rgbaOf } from '#web/map/layers/colors.ts'
import { keyText, markOf } from './issue-key.ts'
import { levelOf, type PlaceMarks, placeMarks } from './place-marks.ts'

/** How points are looked at. What stays the same keeps its identity, so that nothing is done twice. */
export interface Looking {
  /** Null: nothing is drawn. */
  points: IssuePoints | null
  /** Colour of a point (#RRGGBB) by its index; the same function as long as the colours are the same. */
  colorOf: (points: IssuePoints, at: number) => string
  scheme: Scheme
  zoom: number
  /** Where the ring is. */
  selected: { lon: number; lat: number } | null
}

/** Issues as the map draws them, past React: worked out anew only as far as it must. */
export class IssueView implements FleetSource {
  readonly #drawn = createSignal<FleetPoints | null>(null)
  #looking: Looking | null = null
  #marks: PlaceMarks | null = null
  #painted: Pick<FleetPoints, 'count' | 'positions' | 'colors' | 'idOf' | 'clusters' | 'stations'> | null =
    null

  readonly read = (): FleetPoints | null => this.#drawn.read()
  readonly watch = (listener: () => void): (() => void) => this.#drawn.watch(listener)

  look(looking: Looking): void {
    const before = this.#looking
    this.#looking = looking
    const { points, colorOf, scheme, zoom, selected } = looking
    if (!points) {
      this.#drawn.write(null)
      return
    }
    const count = points.id.length
    const isPlacedSame =
      this.#marks !== null &&
      before?.points === points &&
      levelOf(before.zoom, count) === levelOf(zoom, count)
    const marks = isPlacedSame && this.#marks ? this.#marks : placeMarks(points, levelOf(zoom, count))
    const isPaintedSame = this.#painted !== null && marks === this.#marks && before?.colorOf === colorOf
    this.#marks = marks
    const painted = isPaintedSame && this.#painted ? this.#painted : paint(points, marks, colorOf)
    this.#painted = painted
    const isSame =
      isPaintedSame &&
      before?.scheme === scheme &&
      before.selected?.lon === selected?.lon &&
      before.selected?.lat === selected?.lat
    if (!isSame || this.#drawn.read() === null)
      this.#drawn.write({ scheme, selected, here: null, ...painted })
  }
}

function paint(points: IssuePoints, { alone, stacks, clusters }: PlaceMarks, colorOf: Looking['colorOf']) {
  const markAt = (at: number): string => markOf(keyText(points.sources[points.source[at]!]!, points.id[at]!))
  const positions = new Float64Array(alone.length * 2)
  const colors = new Uint8ClampedArray(alone.length * 4)
  const channels = new Map<string, readonly number[]>()
  for (const [n, at] of alone.entries()) {
    const color = colorOf(points, at)
    const rgba = channels.get(color) ?? rgbaOf(color)
    channels.set(color, rgba)
    positions[2 * n] = points.lon[at]!
    positions[2 * n + 1] = points.lat[at]!
    colors.set(rgba, 4 * n)
  }
  return {
    count: alone.length,
    positions,
    colors,
    idOf: (n: number) => markAt(alone[n]!),
    clusters,
    stations: stacks.map(({ lon, lat, count, first }) => ({
      id: markAt(first),
      lon,
      lat,
      text: String(count),
      isEmpty: false,
    })),
  }
}
