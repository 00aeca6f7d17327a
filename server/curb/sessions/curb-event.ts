import type { CdsEventType, CdsSourceType, SourceKind } from '#contract/cds-events.ts'

/** A curb event as read from a feed. Times are ms since 1970. '' and NaN stand for unknown values. */
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
  /** Plate, number or permit of the vehicle. Only its hash is stored. */
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
  /** Number of vehicles that the source detects at the place. */
  occupants: number | null
  isOnline: boolean | null
  isCommissioned: boolean | null
}

/** Returns the most specific place of an event, as a part of its lane. */
function formatPlace({ spaceId, zoneId, objectId, areaIds }: CurbEvent): string {
  if (spaceId) return `space:${spaceId}`
  if (zoneId) return `zone:${zoneId}`
  return objectId ? `object:${objectId}` : `area:${areaIds[0] ?? ''}`
}

const sessionTypes: Partial<Record<CdsEventType, 'parking' | 'area'>> = {
  park_start: 'parking',
  park_end: 'parking',
  enter_area: 'area',
  exit_area: 'area',
}

/**
 * Returns the lane of an event: starts and ends of the same lane are paired to sessions. It identifies a
 * session by its id, or else by its vehicle and place, or else by its device and place. Test payments and
 * other events have a lane without sessions. `vehicle` must be hashed.
 */
export function getEventLane(event: CurbEvent): string {
  const type = event.method === 'test' ? undefined : sessionTypes[event.type]
  if (!type) return `source:${event.deviceId}`
  if (event.sessionKey) return `${type}:session:${event.sessionKey}`
  if (event.vehicle) return `${type}:vehicle:${event.vehicle}:${formatPlace(event)}`
  return `${type}:device:${event.sourceKind}:${event.deviceId}:${formatPlace(event)}`
}

/** Whether a lane has at most one vehicle at a time: its vehicle is known, or its place is one space. */
export const isSingleLane = (lane: string): boolean => !lane.includes(':device:') || lane.includes(':space:')
/** Whether the events of a lane share a session id. */
export const isSessionLane = (lane: string): boolean => /^(parking|area):session:/.test(lane)
