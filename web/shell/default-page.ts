import { hasProduct, isPageEnabled, type AccessContext } from './features.ts'
import { pagePath, pageKeys, type PageKey, pages } from './pages.ts'

/** Curb pages, of which the first enabled one is the default page. */
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
 * Returns the default page of a region: the live map or, if that is not allowed, the first enabled page of the
 * Mobility Manager; the first curb page if the organization has only the Curb Manager; null if there is none.
 */
export function defaultPage(access: AccessContext): PageKey | null {
  if (!hasProduct(access, 'mobility')) return defaultCurbPage(access)
  if (isPageEnabled(access, 'live')) return 'live'
  // Pages with a parameter in their path show one object.
  const canBeDefault = (key: PageKey): boolean =>
    key !== 'activitySummary' && key !== 'mobileLive' && !pages[key].path.includes('$')
  return (
    pageKeys.find(
      (key) => pages[key].product === 'mobility' && canBeDefault(key) && isPageEnabled(access, key),
    ) ?? null
  )
}

/** Path to which a region's root redirects: its default page, itself without one, or not-found. */
export function defaultPath(regionId: string, access: AccessContext | null): string {
  if (!access) return `/${regionId}/404`
  const page = defaultPage(access)
  return page ? pagePath(regionId, page) : `/${regionId}`
}
