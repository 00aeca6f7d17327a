import type { Covered } from '#web/map/map-view.tsx'
import type { SheetHeight } from './sheet-heights.ts'

/** Pixels of the lowest sheet, and of the bar over the map. */
const [peek, bar] = [110, 48]

/** What of the map a sheet covers, in pixels. Under the highest nothing is seen: then the half that will be seen next is meant. */
export function sheetCover(height: SheetHeight, isBeside: boolean, width: number, screen: number): Covered {
  const none: Covered = { top: 0, right: 0, bottom: 0, left: 0 }
  if (isBeside)
    return height === 'peek' ? none : { ...none, left: Math.round(Math.min(360, 0.48 * width)) + 8 }
  return { ...none, bottom: height === 'peek' ? peek : Math.round((screen - bar) / 2) }
}
