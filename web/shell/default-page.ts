import { hasProduct, isPageEnabled, type AccessContext } from './features.ts'
import { pagePath, pageKeys, type PageKey, pages } from './pages.ts'

/** Order in which curb pages become the default page. */
const curbOrder = [
  'curbMetrics',
  'curbActivity',
  'parkingRevenue',
  'transactions',
  'regulationsLibrary',
  'regulationsMap',
  'feesAndRevenue',
  'curbGeographies',
] as const satisfies readonly PageKey[]

/** Returns the first curb page that the user may open. */
export const defaultCurbPage = (access: AccessContext): PageKey | null =>
  curbOrder.find((page) => isPageEnabled(access, page)) ?? null

/**
 * Default page of a region: the live map of the Mobility Manager, else the first enabled curb page. If the
 * live map is not allowed, the first enabled page of the Mobility Manager.
 */
export function defaultPage(access: AccessContext): PageKey | null {
  if (!hasProduct(access, 'mobility')) return defaultCurbPage(access)
  if (isPageEnabled(access, 'live')) return 'live'
  return (
    pageKeys.find(
      (key) =>
        pages[key].product === 'mobility' &&
        key !== 'activitySummary' &&
        key !== 'mobileLive' &&
        !pages[key].path.includes('$') &&
        isPageEnabled(access, key),
    ) ?? null
  )
}

/**
 * Path to which the root of a region redirects: its default page, the root itself if there is none, or the
 * not-found page without access to the region.
 */
export function defaultPath(regionId: string, access: AccessContext | null): string {
  if (!access) return `/${regionId}/404`
  const page = defaultPage(access)
  return page ? pagePath(regionId, page) : `/${regionId}`
}
