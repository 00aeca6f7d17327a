import { basemapRoles, type BasemapRole } from '#contract/basemap.ts'

/** One of the region's own layers that is drawn under the map. */
export interface BasemapLayer {
  role: BasemapRole
  /** Address of its tiles, with {z}, {x} and {y}. */
  tiles: string
  /** Who must be named for it. */
  attribution?: string | null
}

/** The role that a level such as `basemap:park` gives; null where it is none of ours. */
export const basemapRoleOf = (level: string | null): BasemapRole | null =>
  basemapRoles.find((role) => level === `basemap:${role}`) ?? null
