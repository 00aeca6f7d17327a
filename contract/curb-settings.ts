import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LocalDay } from './period.ts'

/** 20 ft, which most cities assume for a parked car (CDS issue #208). */
const defaultVehicleLengthCm = 610

/** Settings of a region's curb. */
export const CurbSettings = z
  .object({
    /** Centimeters of curb per vehicle where spaces are not marked. */
    assumedVehicleLength: z.number().int().min(200).max(3000).default(defaultVehicleLengthCm),
    /** Local days of designated periods of CDS, such as `holidays`. */
    designatedPeriods: z.record(z.string().min(1).max(200), z.array(LocalDay).max(5000)).default({}),
    /** Whether the map of regulations is public. */
    isPublic: z.boolean().default(false),
  })
  .meta({ id: 'CurbSettings' })
export type CurbSettings = z.infer<typeof CurbSettings>

const regionParams = z.object({ region_id: z.string() })
/** `version` increases with each change of the region's curb data and settings. */
const response = z.object({ settings: CurbSettings, version: z.number().int() })

export const getCurbSettings = endpoint({
  route: 'GET /regions/{region_id}/curb/settings',
  permission: 'signed_in',
  summary: 'Settings of the curb: assumed vehicle length, days of designated periods, public map',
  request: { params: regionParams },
  response,
})
/** Absent fields are not changed. 409, with `current`, if `if_settings` differs from the stored settings. */
export const changeCurbSettings = endpoint({
  route: 'PATCH /regions/{region_id}/curb/settings',
  permission: 'edit_curb_regulations',
  summary: 'Change settings of the curb',
  request: {
    params: regionParams,
    body: z.object({
      assumedVehicleLength: CurbSettings.shape.assumedVehicleLength.unwrap().optional(),
      designatedPeriods: CurbSettings.shape.designatedPeriods.unwrap().optional(),
      isPublic: z.boolean().optional(),
      if_settings: CurbSettings.optional(),
    }),
  },
  response,
})
