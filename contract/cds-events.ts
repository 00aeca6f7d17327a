import { z } from 'zod'

/** Event types of CDS 1.0 and 1.1 (events/README.md of the specification), as are the lists below. */
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
 * What reports a session. `sensor` and `camera` detect every vehicle, `survey` is a person on site; `payment`
 * is the time that was paid for; `data_feed` and `check_in` are vehicles that report themselves.
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
