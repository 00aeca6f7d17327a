import type { CdsEventType, CdsSourceType, SourceKind } from '#contract/cds-events.ts'

/** An event at the curb as it is read. Times are ms since 1970; '' and NaN are unknown. */
export interface CurbEvent {
  eventId: string
  type: CdsEventType
  time: number
  publicationTime: number
  zoneId: string
  areaIds: readonly string[]
  spaceId: string
  objectId: string
  sourceType: CdsSourceType
  sourceKind: SourceKind
  deviceId: string
  operatorName: string
  sessionKey: string
  /** Plate, number or permit of the vehicle; stored as a hash only. */
  vehicle: string
  vehicleType: string
  vehicleLength: number | null
  propulsion: readonly string[]
  purpose: string
  lon: number
  lat: number
  /** Minor units of the currency. */
  amount: number | null
  channel: string
  method: string
  blockedLanes: readonly string[]
  violations: readonly string[]
  enforcementId: string
  /** Vehicles that the source sees at the place. */
  occupants: number | null
  isOnline: boolean | null
  isCommissioned: boolean | null
}

/** Events without their vehicle's identity are paired by the device and the place. */
const placeOf = ({ spaceId, zoneId, objectId, areaIds }: CurbEvent): string =>
  spaceId
    ? `space:${spaceId}`
    : zoneId
      ? `zone:${zoneId}`
      : objectId
        ? `object:${objectId}`
        : `area:${areaIds[0] ?? ''}`

const sessionTypes: Partial<Record<CdsEventType, 'parking' | 'area'>> = {
  park_start: 'parking',
  park_end: 'parking',
  enter_area: 'area',
  exit_area: 'area',
}

/** Starts and ends within a lane are paired to sessions. `vehicle` is hashed. Test payments make no sessions. */
export function laneOf(event: CurbEvent): string {
  const type = event.method === 'test' ? undefined : sessionTypes[event.type]
  if (!type) return `source:${event.deviceId}`
  if (event.sessionKey) return `${type}:session:${event.sessionKey}`
  if (event.vehicle) return `${type}:vehicle:${event.vehicle}:${placeOf(event)}`
  return `${type}:device:${event.sourceKind}:${event.deviceId}:${placeOf(event)}`
}

/** Whether a lane holds one vehicle at a time: a known vehicle, or a single space. Others hold any number. */
export const isSingleLane = (lane: string): boolean => !lane.includes(':device:') || lane.includes(':space:')
export const isSessionLane = (lane: string): boolean => /^(parking|area):session:/.test(lane)
