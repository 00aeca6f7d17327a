import type { Scope } from '#server/stores/scope.ts'
import { hourShift } from './cube-clock.ts'

/** The settings of a region that its cubes depend on. */
export interface CubeRegion {
  regionId: string
  organizationId: string
  scope: Scope
  lostAfterHours: number
  /** How much earlier its hours begin than those of UTC, ms (`hourShift`). */
  shift: number
  /** Time zone of its local days. */
  timezone: string
}

/** Returns the method version and settings of all hours. If they change, the hours are computed again. */
export const getCubeBasis = ({ lostAfterHours, shift, timezone }: CubeRegion): string =>
  `4 ${lostAfterHours} ${shift} ${timezone}`

/** Returns the basis in method version 3, before the keys of shapes contained their size. */
export const unsizedBasis = (region: CubeRegion): string => getCubeBasis(region).replace('4', '3')

/** Returns the settings of a region's cubes. */
export const toCubeRegion = (
  scope: Scope,
  region: Pick<CubeRegion, 'regionId' | 'organizationId' | 'timezone' | 'lostAfterHours'>,
): CubeRegion => ({
  regionId: region.regionId,
  organizationId: region.organizationId,
  scope,
  lostAfterHours: region.lostAfterHours,
  shift: hourShift(region.timezone),
  timezone: region.timezone,
})
