import type { CoveredEdges } from '#web/map/map-view-props.ts'

/** How far the sheet is up: only what tells the most, half of the map, or all of it. */
export const sheetHeights = ['peek', 'half', 'full'] as const
export type SheetHeight = (typeof sheetHeights)[number]

/** The heights in pixels, in a room of `room` pixels; `peek` is what the sheet's head takes. */
export const sheetPixels = (room: number, peek: number): Record<SheetHeight, number> => ({
  peek: Math.min(peek, room),
  half: Math.min(room, Math.max(peek, Math.round(room / 2))),
  full: room,
})

/** One height up or down; the highest and the lowest stay. */
export const stepFrom = (height: SheetHeight, steps: number): SheetHeight =>
  sheetHeights[Math.max(0, Math.min(sheetHeights.length - 1, sheetHeights.indexOf(height) + steps))]!

/** Pixels a millisecond from which a drag is a throw. */
const thrown = 0.5

/** Where a sheet that was let go at `pixels` comes to rest: the next height the way it was thrown, else the nearest. `speed`: pixels a millisecond, upwards. */
export function restingHeight(pixels: number, speed: number, room: number, peek: number): SheetHeight {
  const at = sheetPixels(room, peek)
  if (speed >= thrown) return sheetHeights.find((each) => at[each] > pixels) ?? 'full'
  if (speed <= -thrown) return sheetHeights.toReversed().find((each) => at[each] < pixels) ?? 'peek'
  return sheetHeights.toSorted((a, b) => Math.abs(at[a] - pixels) - Math.abs(at[b] - pixels))[0]!
}

/** Pixels of the lowest sheet, and of the bar over the map. */
const [peek, bar] = [110, 48]

/** What of the map a sheet covers, in pixels. Under the highest nothing is seen: then the half that will be seen next is meant. */
export function sheetCover(
  height: SheetHeight,
  isBeside: boolean,
  width: number,
  screen: number,
): CoveredEdges {
  const none: CoveredEdges = { top: 0, right: 0, bottom: 0, left: 0 }
  if (isBeside)
    return height === 'peek' ? none : { ...none, left: Math.round(Math.min(360, 0.48 * width)) + 8 }
  return { ...none, bottom: height === 'peek' ? peek : Math.round((screen - bar) / 2) }
}
