/** What a basemap layer may hold; the order is the order of drawing. */
export const basemapRoles = ['land', 'park', 'water', 'street'] as const
export type BasemapRole = (typeof basemapRoles)[number]

/** One of the region's own layers that is drawn under the map. */
export interface BasemapLayer {
  role: BasemapRole
  /** Address of its tiles, with {z}, {x} and {y}. */
  tiles: string
}

/** The role that a level such as `basemap:park` gives; null where it is none of ours. */
export const basemapRoleOf = (level: string | null): BasemapRole | null => basemapRoles.find((role) => level === `basemap:${role}`) ?? null
