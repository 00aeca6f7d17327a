import type { PermissionKey } from '#contract/permission.ts'
import type { MapName, Region } from '#contract/regions.ts'
import type { FeatureKey, MobilityDashboard, OrganizationSettings } from '#contract/settings.ts'
import { type Page, type PageKey, pages, type Product } from './pages.ts'

/** What decides about pages: the organization's settings, the region, and what the viewer may do. */
export interface AccessContext {
  /** A flag that is left out is on, a list that is left out holds all. */
  settings: Partial<OrganizationSettings>
  region: Pick<Region, 'allowedMaps' | 'hasMdsData'>
  can: (key: PermissionKey) => boolean
}

const productFlags: Record<Product, FeatureKey> = { mobility: 'mobilityManager', curb: 'curbManager' }
const isFlagOn = ({ settings }: AccessContext, key: FeatureKey): boolean => settings[key] !== false
const allowsItem = <T>(list: readonly T[] | null | undefined, item: T): boolean =>
  list == null || list.includes(item)

export const hasProduct = (access: AccessContext, product: Product): boolean =>
  isFlagOn(access, productFlags[product])

/** Both the organization's list and the region's must hold the map; Routes needs MDS data besides (1-product, section 5). */
export const allowsMap = ({ settings, region }: AccessContext, map: MapName): boolean =>
  allowsItem(settings.maps, map) &&
  allowsItem(region.allowedMaps, map) &&
  (map !== 'routes' || region.hasMdsData)

export const allowsDashboard = ({ settings }: AccessContext, dashboard: MobilityDashboard): boolean =>
  allowsItem(settings.mobilityDashboards, dashboard)

/** Whether a page shows: its product, every flag, its map, its group of dashboards and its permission are on. */
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
