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
  `3 ${lostAfterHours} ${shift} ${timezone}`

export const cubeRegion = (
  scope: Scope,
  {
    region_id: regionId,
    organization_id: organizationId,
    timezone,
    lost_after_hours: lostAfterHours,
  }: { region_id: string; organization_id: string; timezone: string; lost_after_hours: number },
): CubeRegion => ({
  regionId,
  organizationId,
  scope,
  lostAfterHours,
  shift: hourShift(timezone),
  timezone,
})
