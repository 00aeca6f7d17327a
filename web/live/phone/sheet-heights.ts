import type { CoveredEdges } from '#web/map/map-view-props.ts'

/** The heights of the sheet: only its most important content, half of the map, or all of it. */
export const sheetHeights = ['peek', 'half', 'full'] as const
export type SheetHeight = (typeof sheetHeights)[number]

/** Returns the heights in pixels in a container of `room` pixels; `peek` is the lowest of them. */
export const sheetPixels = (room: number, peek: number): Record<SheetHeight, number> => ({
  peek: Math.min(peek, room),
  half: Math.min(room, Math.max(peek, Math.round(room / 2))),
  full: room,
})

/** Returns the next height in a direction, limited to the highest and the lowest. */
export const stepFrom = (height: SheetHeight, steps: number): SheetHeight =>
  sheetHeights[Math.max(0, Math.min(sheetHeights.length - 1, sheetHeights.indexOf(height) + steps))]!

/** Speed in pixels per millisecond from which a drag is a flick. */
const flickSpeed = 0.5

/**
 * Returns the height to which a released sheet moves: the next one in the direction of a flick, else the nearest.
 *
 * @param pixels Its current height
 * @param speed In pixels per millisecond, upward
 */
export function restingHeight(pixels: number, speed: number, room: number, peek: number): SheetHeight {
  const heights = sheetPixels(room, peek)
  if (speed >= flickSpeed) return sheetHeights.find((height) => heights[height] > pixels) ?? 'full'
  if (speed <= -flickSpeed)
    return sheetHeights.toReversed().find((sheetHeight) => heights[sheetHeight] < pixels) ?? 'peek'
  return sheetHeights.toSorted((a, b) => Math.abs(heights[a] - pixels) - Math.abs(heights[b] - pixels))[0]!
}

const peekPixels = 110
/** Height in pixels of the bar above the map. */
const barPixels = 48
/** Width of a sheet beside the map: a share of the screen up to a maximum, and a gap, in pixels. */
const besideShare = 0.48
const maxBesidePixels = 360
const besideGapPixels = 8

/**
 * Returns the part of the map that a sheet covers, in pixels. The highest sheet covers the map completely; it
 * counts as the half-high one, because that is the next height at which the map is visible.
 */
export function sheetCover(
  height: SheetHeight,
  isBeside: boolean,
  width: number,
  screenHeight: number,
): CoveredEdges {
  const none: CoveredEdges = { top: 0, right: 0, bottom: 0, left: 0 }
  const besidePixels = Math.round(Math.min(maxBesidePixels, besideShare * width)) + besideGapPixels
  if (isBeside) return height === 'peek' ? none : { ...none, left: besidePixels }
  return { ...none, bottom: height === 'peek' ? peekPixels : Math.round((screenHeight - barPixels) / 2) }
}
