import type { PermissionKey } from '#contract/permission.ts'
import type { MapName, Region } from '#contract/regions.ts'
import type { FeatureKey, MobilityDashboard, OrganizationSettings } from '#contract/settings.ts'
import { type Page, type PageKey, pages, type Product } from './pages.ts'

/** What page visibility depends on: organization settings, region and permissions. */
export interface AccessContext {
  /** A missing flag is on; a missing list allows everything. */
  settings: Partial<OrganizationSettings>
  region: Pick<Region, 'allowedMaps' | 'hasMdsData'>
  can: (key: PermissionKey) => boolean
}

/** The feature flag that enables each product. */
const productFlags: Record<Product, FeatureKey> = { mobility: 'mobilityManager', curb: 'curbManager' }
const isFlagOn = ({ settings }: AccessContext, key: FeatureKey): boolean => settings[key] !== false
const allowsItem = <T>(allowedItems: readonly T[] | null | undefined, item: T): boolean =>
  allowedItems === null || allowedItems === undefined || allowedItems.includes(item)

export const hasProduct = (access: AccessContext, product: Product): boolean =>
  isFlagOn(access, productFlags[product])

/** A map must be in the lists of both organization and region; Routes additionally requires MDS data. */
export const allowsMap = ({ settings, region }: AccessContext, map: MapName): boolean =>
  allowsItem(settings.maps, map) &&
  allowsItem(region.allowedMaps, map) &&
  (map !== 'routes' || region.hasMdsData)

export const allowsDashboard = ({ settings }: AccessContext, dashboard: MobilityDashboard): boolean =>
  allowsItem(settings.mobilityDashboards, dashboard)

/** Whether a page is visible: its product, flags, map, dashboard group and permission must all be enabled. */
export function isPageEnabled(access: AccessContext, key: PageKey): boolean {
  const page: Page = pages[key]
  return (
    hasProduct(access, page.product) &&
    (page.flags ?? []).every((flag) => isFlagOn(access, flag)) &&
    (!page.map || allowsMap(access, page.map)) &&
    (!page.dashboard || allowsDashboard(access, page.dashboard)) &&
    (!page.permission || access.can(page.permission))
  )
}
