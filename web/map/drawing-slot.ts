import type { DrawingBoard } from './drawing-tools/drawing-board.ts'
import type { MapLibreMap } from './new-map.ts'
import { OverlaySlot } from './overlay-slot.ts'
import type { Marks } from './pointer.ts'

/** Pixels around a corner's handle in which a press is meant for it. */
const reach = 14

/** Where drawing goes: its engine is fetched with the first board. While it draws, shapes under the pointer do not answer. */
export class DrawingSlot implements Marks {
  readonly #map: MapLibreMap
  readonly #slot: OverlaySlot<DrawingBoard>

  constructor(map: MapLibreMap) {
    this.#map = map
    this.#slot = new OverlaySlot(
      map,
      async () => (await import('./drawing-tools/drawing-overlay.ts')).drawingOverlay,
    )
  }

  show(board: DrawingBoard | null): void {
    this.#slot.show(board)
  }

  remove(): void {
    this.#slot.remove()
  }

  isBusy(): boolean {
    const board = this.#slot.shown
    return board !== null && board.tool !== 'corners'
  }

  at(): null {
    return null
  }

  press(_id: string | null, lon: number, lat: number): boolean {
    if (this.#slot.shown === null) return false
    if (this.isBusy()) return true
    if (!this.#map.getLayer('td-point')) return false
    const { x, y } = this.#map.project([lon, lat])
    return (
      this.#map.queryRenderedFeatures(
        [
          [x - reach, y - reach],
          [x + reach, y + reach],
        ],
        { layers: ['td-point'] },
      ).length > 0
    )
  }
}
