import type { Period } from './period.ts'

const startKey = 'start_date'

/** Whether the dates of this address move with today. */
export const hasRelativeDates = (href: string): boolean => !new URL(href).searchParams.has(startKey)

/** The address of the page as it is shared: with the dates that are shown now, unless they should move with today. */
export function shareLink(href: string, period: Period | null, isRelative: boolean): string {
  const url = new URL(href)
  // What the pointer is over is not shared.
  url.searchParams.delete('hover')
  if (period && !isRelative) {
    url.searchParams.delete('period')
    url.searchParams.set(startKey, period.start_date)
    url.searchParams.set('end_date', period.end_date)
  }
  return url.href
}

/** The page of an address below its region, with its query but without what the pointer is over. */
export function viewOf(href: string, regionId: string): { path: string; search: string } {
  const url = new URL(href)
  url.searchParams.delete('hover')
  return {
    path: url.pathname.replace(`/${encodeURIComponent(regionId)}/`, ''),
    search: url.search,
  }
}
