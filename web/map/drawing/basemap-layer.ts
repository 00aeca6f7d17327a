import { basemapRoles, type BasemapRole } from '#contract/basemap.ts'

/** A basemap layer of the region. */
export interface BasemapLayer {
  role: BasemapRole
  /** URL template with {z}, {x} and {y}. */
  tiles: string
  /** Required attribution. */
  attribution?: string | null
}

/** Role of a level such as `basemap:park`; null for other levels. */
export const basemapRoleOf = (level: string | null): BasemapRole | null =>
  basemapRoles.find((role) => level === `basemap:${role}`) ?? null
