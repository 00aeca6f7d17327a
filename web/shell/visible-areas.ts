import type { Area, Entry } from './areas.ts'
import { isPageEnabled, type AccessContext } from './features.ts'
import type { PageKey } from './pages.ts'

export interface VisibleEntry extends Entry {
  /** The page that it opens: the first of its pages that is on. */
  targetPage: PageKey
}

export interface VisibleArea extends Omit<Area, 'entries'> {
  entries: readonly [VisibleEntry, ...VisibleEntry[]]
}

/** What is on of areas: an entry without a page is left out, and so is an area without an entry. */
export function visibleAreas(areas: readonly Area[], access: AccessContext): VisibleArea[] {
  return areas.flatMap((area) => {
    const [first, ...others] = area.entries.flatMap((entry): VisibleEntry[] => {
      const opens = entry.pages.find((page) => isPageEnabled(access, page))
      return opens ? [{ ...entry, targetPage: opens }] : []
    })
    return first ? [{ ...area, entries: [first, ...others] }] : []
  })
}
