import type { Scope } from '#server/stores/scope.ts'
import { hourShift } from './cube-clock.ts'

/** A region as its cubes see it. */
export interface CubeRegion {
  regionId: string
  organizationId: string
  scope: Scope
  lostAfterHours: number
  /** As `hourShift`. */
  shift: number
  /** Of its days. */
  timezone: string
}

/** The settings that all of a region's hours depend on: if they change, the hours are computed again. */
export const cubeBasis = ({ lostAfterHours, shift, timezone }: CubeRegion): string =>
  `4 ${lostAfterHours} ${shift} ${timezone}`

/** The basis of the same settings before the keys of shapes had a size. */
export const unsizedBasis = (region: CubeRegion): string => cubeBasis(region).replace('4', '3')

export const cubeRegion = (
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
