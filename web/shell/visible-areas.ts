import type { Area, Entry } from './areas.ts'
import { isPageEnabled, type AccessContext } from './features.ts'
import type { PageKey } from './pages.ts'

export interface VisibleEntry extends Entry {
  /** The page that the entry links to: its first enabled page. */
  targetPage: PageKey
}

export interface VisibleArea extends Omit<Area, 'entries'> {
  entries: readonly [VisibleEntry, ...VisibleEntry[]]
}

/** Removes disabled pages; entries without a page and areas without an entry are omitted. */
export function visibleAreas(areas: readonly Area[], access: AccessContext): VisibleArea[] {
  return areas.flatMap((area) => {
    const [firstEntry, ...otherEntries] = area.entries.flatMap((entry): VisibleEntry[] => {
      const targetPage = entry.pages.find((page) => isPageEnabled(access, page))
      return targetPage ? [{ ...entry, targetPage }] : []
    })
    return firstEntry ? [{ ...area, entries: [firstEntry, ...otherEntries] }] : []
  })
}
