import { IconChartBar, IconDatabaseImport, IconFileDollar, IconHeartbeat, IconMap2, IconPolygon, IconScale, type Icon } from '@tabler/icons-react'
import type { PermissionKey } from '#contract/permission.ts'
import type { Region } from '#contract/regions.ts'

export interface Page {
  /** Names the page: `shell:pages.<key>`. */
  key: string
  /** Path below the region. */
  path: string
  /** The map that the region must allow. */
  map?: NonNullable<Region['allowedMaps']>[number]
}

export interface Area {
  key: string
  Icon: Icon
  permission?: PermissionKey
  /** One page: the area is a link. More: it opens a drawer. */
  pages: readonly [Page, ...Page[]]
  drawer?: boolean
}

/** The shelf of the Mobility Manager, in its order (1-product, section 2). */
export const areas: readonly Area[] = [
  {
    key: 'maps', Icon: IconMap2, drawer: true,
    pages: [
      { key: 'live', path: 'mobility/maps/live', map: 'live' },
      { key: 'issues', path: 'mobility/maps/311', map: '311' },
      { key: 'distribution', path: 'mobility/maps/distribution', map: 'distribution' },
      { key: 'dropOffs', path: 'mobility/maps/operator-drop-offs', map: 'operator-drop-offs' },
      { key: 'parking', path: 'mobility/maps/parking', map: 'parking' },
      { key: 'routes', path: 'mobility/maps/routes', map: 'routes' },
      { key: 'trips', path: 'mobility/maps/trips', map: 'trips' },
    ],
  },
  { key: 'reporting', Icon: IconChartBar, pages: [{ key: 'reporting', path: 'mobility/reporting/trip-counts' }] },
  { key: 'policies', Icon: IconScale, pages: [{ key: 'policies', path: 'mobility/policies' }] },
  { key: 'invoicing', Icon: IconFileDollar, pages: [{ key: 'invoicing', path: 'mobility/invoicing' }] },
  { key: 'geographies', Icon: IconPolygon, pages: [{ key: 'geographies', path: 'mobility/geographies' }] },
  { key: 'dataHealth', Icon: IconHeartbeat, pages: [{ key: 'dataHealth', path: 'mobility/data-health' }] },
  { key: 'dataIn', Icon: IconDatabaseImport, permission: 'is_admin', drawer: true, pages: [{ key: 'tripFiles', path: 'mobility/trip-files' }] },
]

/** Pages of an area that a region allows; an absent list allows all. */
export const allowedPages = (area: Area, region: Region): Page[] => area.pages.filter((page) => !page.map || region.allowedMaps === null || region.allowedMaps.includes(page.map))

/** The area and page that a path shows. */
export function placeOf(pathname: string): { area: Area; page: Page } | null {
  const below = pathname.split('/').slice(2).join('/')
  for (const area of areas) {
    const page = area.pages.find((each) => below === each.path || below.startsWith(`${each.path}/`))
    if (page) return { area, page }
  }
  return null
}
