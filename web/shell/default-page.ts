import { hasProduct, isOn, type Standing } from './features.ts'
import { addressIn, pageKeys, type PageKey, pages } from './pages.ts'

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

export const defaultCurbPage = (standing: Standing): PageKey | null =>
  curbOrder.find((page) => isOn(standing, page)) ?? null

/**
 * The page that a region opens with: the live map of the Mobility Manager, else the first curb page that is on. Where the live map
 * is not allowed, its place is taken by the first page of the Mobility Manager that is: nobody is led to a page that is off.
 */
export function defaultPage(standing: Standing): PageKey | null {
  if (!hasProduct(standing, 'mobility')) return defaultCurbPage(standing)
  if (isOn(standing, 'live')) return 'live'
  return (
    pageKeys.find(
      (key) =>
        pages[key].product === 'mobility' &&
        key !== 'activitySummary' &&
        key !== 'mobileLive' &&
        !pages[key].path.includes('$') &&
        isOn(standing, key),
    ) ?? null
  )
}

/** Where a region leads: its default page, else its root; without access to the region, to the page of what is not found. */
export function defaultAddress(regionId: string, standing: Standing | null): string {
  if (!standing) return `/${regionId}/404`
  const page = defaultPage(standing)
  return page ? addressIn(regionId, page) : `/${regionId}`
}
