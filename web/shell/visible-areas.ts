import type { Area, Entry } from './areas.ts'
import { isPageEnabled, type AccessContext } from './features.ts'
import type { PageKey } from './pages.ts'

export interface VisibleEntry extends Entry {
  /** The page that it opens: the first of its pages that is enabled. */
  targetPage: PageKey
}

export interface VisibleArea extends Omit<Area, 'entries'> {
  entries: readonly [VisibleEntry, ...VisibleEntry[]]
}

/** Filters areas by what is enabled; entries without a page and areas without an entry are omitted. */
export function visibleAreas(areas: readonly Area[], access: AccessContext): VisibleArea[] {
  return areas.flatMap((area) => {
    const [first, ...others] = area.entries.flatMap((entry): VisibleEntry[] => {
      const targetPage = entry.pages.find((page) => isPageEnabled(access, page))
      return targetPage ? [{ ...entry, targetPage }] : []
    })
    return first ? [{ ...area, entries: [first, ...others] }] : []
  })
}
