import type { PermissionKey } from '#contract/permission.ts'
import type { MapName, Region } from '#contract/regions.ts'
import type { FeatureKey, MobilityDashboard, OrganizationSettings } from '#contract/settings.ts'
import { type Page, type PageKey, pages, type Product } from './pages.ts'

/** What decides about pages: the organization's settings, the region, and what the viewer may do. */
export interface Standing {
  /** A flag that is left out is on, a list that is left out holds all. */
  settings: Partial<OrganizationSettings>
  region: Pick<Region, 'allowedMaps' | 'hasMdsData'>
  can: (key: PermissionKey) => boolean
}

const productFlags: Record<Product, FeatureKey> = { mobility: 'mobilityManager', curb: 'curbManager' }
const isFlagOn = ({ settings }: Standing, key: FeatureKey): boolean => settings[key] !== false
const holds = <T>(list: readonly T[] | null | undefined, item: T): boolean =>
  list == null || list.includes(item)

export const hasProduct = (standing: Standing, product: Product): boolean =>
  isFlagOn(standing, productFlags[product])

/** Both the organization's list and the region's must hold the map; Routes needs MDS data besides (1-product, section 5). */
export const allowsMap = ({ settings, region }: Standing, map: MapName): boolean =>
  holds(settings.maps, map) && holds(region.allowedMaps, map) && (map !== 'routes' || region.hasMdsData)

export const allowsDashboard = ({ settings }: Standing, dashboard: MobilityDashboard): boolean =>
  holds(settings.mobilityDashboards, dashboard)

/** Whether a page shows: its product, every flag, its map, its group of dashboards and its permission are on. */
export function isOn(standing: Standing, key: PageKey): boolean {
  const page: Page = pages[key]
  return (
    hasProduct(standing, page.product) &&
    (page.flags ?? []).every((flag) => isFlagOn(standing, flag)) &&
    (!page.map || allowsMap(standing, page.map)) &&
    (!page.dashboard || allowsDashboard(standing, page.dashboard)) &&
    (!page.permission || standing.can(page.permission))
  )
}
