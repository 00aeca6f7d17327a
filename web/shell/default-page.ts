import { hasProduct, isPageEnabled, type AccessContext } from './features.ts'
import { pagePath, pageKeys, type PageKey, pages } from './pages.ts'

/** The order in which a curb page becomes the default one (1-product, section 2). */
const curbOrder = [
  'curbMetrics',
  'curbActivity',
  'parkingRevenue',
  'transactions',
  'regulationsLibrary',
  'regulationsMap',
  'feesAndRevenue',
] as const satisfies readonly PageKey[]

export const defaultCurbPage = (access: AccessContext): PageKey | null =>
  curbOrder.find((page) => isPageEnabled(access, page)) ?? null

/**
 * The page that a region opens with: the live map of the Mobility Manager, else the first curb page that is on. Where the live map
 * is not allowed, its place is taken by the first page of the Mobility Manager that is: nobody is led to a page that is off.
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

/** Where a region leads: its default page, else its root; without access to the region, to the page of what is not found. */
export function defaultPath(regionId: string, access: AccessContext | null): string {
  if (!access) return `/${regionId}/404`
  const page = defaultPage(access)
  return page ? pagePath(regionId, page) : `/${regionId}`
}
