import type { Area, Entry } from './areas.ts'
import { isOn, type Standing } from './features.ts'
import type { PageKey } from './pages.ts'

export interface ShownEntry extends Entry {
  /** The page that it opens: the first of its pages that is on. */
  opens: PageKey
}

export interface ShownArea extends Omit<Area, 'entries'> {
  entries: readonly [ShownEntry, ...ShownEntry[]]
}

/** What is on of areas: an entry without a page is left out, and so is an area without an entry. */
export function shownAreas(areas: readonly Area[], standing: Standing): ShownArea[] {
  return areas.flatMap((area) => {
    const [first, ...others] = area.entries.flatMap((entry): ShownEntry[] => {
      const opens = entry.pages.find((page) => isOn(standing, page))
      return opens ? [{ ...entry, opens }] : []
    })
    return first ? [{ ...area, entries: [first, ...others] }] : []
  })
}
