import type { Period } from './period.ts'

const startKey = 'start_date'

/** Whether the dates of a URL are relative to today. */
export const hasRelativeDates = (href: string): boolean => !new URL(href).searchParams.has(startKey)

/** Returns the URL of a page for sharing: with the current dates, unless they should remain relative to today. */
export function shareLink(href: string, period: Period | null, isRelative: boolean): string {
  const url = new URL(href)
  // The feature under the pointer is not shared.
  url.searchParams.delete('hover')
  if (period && !isRelative) {
    url.searchParams.delete('period')
    url.searchParams.set(startKey, period.start_date)
    url.searchParams.set('end_date', period.end_date)
  }
  return url.href
}

/** Returns the path below the region and the query of a URL, without the feature under the pointer. */
export function parseView(href: string, regionId: string): { path: string; search: string } {
  const url = new URL(href)
  url.searchParams.delete('hover')
  return { path: url.pathname.replace(`/${encodeURIComponent(regionId)}/`, ''), search: url.search }
}
