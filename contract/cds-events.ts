import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { nameSchema } from './names.ts'

/**
 * Event types of CDS 1.0 and 1.1 (Curb Data Specification,
 * events/README.md); the lists below are of the same API.
 */
export const cdsEventTypes = [
  'comms_lost',
  'comms_restored',
  'decommissioned',
  'park_start',
  'park_end',
  'scheduled_report',
  'enter_area',
  'exit_area',
  'vehicle_detected',
  'vehicle_violation_start',
  'vehicle_violation_end',
  'citation_issued',
] as const
export type CdsEventType = (typeof cdsEventTypes)[number]

export const cdsSourceTypes = [
  'data_feed',
  'camera',
  'above_ground',
  'in_ground',
  'meter',
  'payment',
  'in_person',
  'other',
] as const
export type CdsSourceType = (typeof cdsSourceTypes)[number]

export const cdsVehicleTypes = [
  'bicycle',
  'bus',
  'cargo_bicycle',
  'car',
  'delivery_robot',
  'scooter',
  'scooter_standing',
  'scooter_seated',
  'moped',
  'motorcycle',
  'truck',
  'van',
  'freight',
  'other',
  'unspecified',
] as const
export type CdsVehicleType = (typeof cdsVehicleTypes)[number]

export const cdsLaneTypes = [
  'travel_lane',
  'turn_lane',
  'center_turn_lane',
  'bike_lane',
  'bus_lane',
  'parking',
  'shoulder',
  'median',
  'sidewalk',
  'unspecified',
] as const

export const cdsPaymentChannels = ['meter', 'mobile_app', 'sms', 'telephone', 'website', 'other'] as const

/** Versions of the Events and Metrics APIs that are served and read, newest first. */
export const cdsVersions = ['1.1', '1.0'] as const
export type CdsVersion = (typeof cdsVersions)[number]

/**
 * What reports a session. `sensor` and `camera` detect every vehicle, `survey` is a person on site; `payment` is
 * the time that was paid for; `data_feed` and `check_in` are vehicles that report themselves.
 */
export const sourceKinds = [
  'sensor',
  'camera',
  'survey',
  'payment',
  'data_feed',
  'check_in',
  'other',
] as const
export const SourceKind = z.enum(sourceKinds)
export type SourceKind = z.infer<typeof SourceKind>

export const sourceKindByType: Readonly<Record<CdsSourceType, SourceKind>> = {
  data_feed: 'data_feed',
  camera: 'camera',
  above_ground: 'sensor',
  in_ground: 'sensor',
  meter: 'payment',
  payment: 'payment',
  in_person: 'survey',
  other: 'other',
}

/** What a token of a region allows: to read CDS events or metrics, or to push payments. */
const tokenAccesses = ['events', 'metrics', 'payments'] as const

/**
 * A token that allows reading CDS events or metrics of a region, or
 * pushing payments. The token itself is shown only once.
 */
export const CdsToken = z
  .object({
    tokenId: z.string(),
    name: z.string(),
    access: z.enum(tokenAccesses),
    /** Last characters of the token. */
    hint: z.string(),
    createdBy: z.string().nullable(),
    createdTime: z.iso.datetime(),
    expiresTime: z.iso.datetime().nullable(),
    lastUsedTime: z.iso.datetime().nullable(),
    revokedTime: z.iso.datetime().nullable(),
  })
  .meta({ id: 'CdsToken' })
export type CdsToken = z.infer<typeof CdsToken>

export const NewCdsToken = z.object({ name: nameSchema(120), access: z.enum(tokenAccesses) })
export type NewCdsToken = z.output<typeof NewCdsToken>

const regionParams = z.object({ region_id: z.string() })
const path = '/regions/{region_id}/curb/tokens'

export const listCdsTokens = endpoint({
  route: `GET ${path}`,
  permission: 'is_admin',
  summary: 'Tokens with which CDS events and metrics of the region are read and payments are pushed',
  request: { params: regionParams },
  response: z.object({
    /** Addresses of the Events and the Metrics API of the region, and for pushes of payments. */
    urls: z.object({ events: z.string(), metrics: z.string(), payments: z.string() }),
    items: z.array(CdsToken),
  }),
})
export const makeCdsToken = endpoint({
  route: `POST ${path}`,
  prefixes: ['/v2'],
  permission: 'is_admin',
  summary: 'Create a token for CDS events or metrics, or for payments; it is shown only once',
  request: { params: regionParams, body: NewCdsToken },
  response: z.object({ token: z.string() }),
})
export const revokeCdsToken = endpoint({
  route: `DELETE ${path}/{token_id}`,
  permission: 'is_admin',
  summary: 'Revoke a token for CDS events or metrics, or for payments',
  request: { params: regionParams.extend({ token_id: z.string().max(200) }) },
  response: z.object({ revoked: z.boolean() }),
})
