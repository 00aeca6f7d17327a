import { useEffect, useState } from 'react'
import {
  type LiveCurbActivity,
  getCurbActivity,
  type LiveCurbZone,
  streamCurbActivity,
} from '#contract/curb-sessions.ts'
import { followEvents } from '#web/data/event-stream.ts'
import { useEndpointQuery } from '#web/data/query.ts'

export type ActivityZone = LiveCurbActivity['zones'][number]
/** `interrupted` streams are connected again, `failed` ones are not. */
export type StreamState = 'loading' | 'live' | 'interrupted' | 'failed'

/** Returns the current zones of a region: a list at first, then changes from the stream. */
export function useCurbActivity(regionId: string) {
  const list = useEndpointQuery(getCurbActivity, { params: { region_id: regionId } })
  const { refetch } = list
  const [changes, setChanges] = useState<ReadonlyMap<string, LiveCurbZone>>(new Map())
  const [stream, setStream] = useState<StreamState>('loading')
  useEffect(() => {
    const stop = new AbortController()
    let wasInterrupted = false
    void followEvents(
      streamCurbActivity,
      { params: { region_id: regionId } },
      {
        lastId: '',
        signal: stop.signal,
        onOpen: () => {
          setStream('live')
          // The stream does not replay changes from during the interruption.
          if (wasInterrupted) void refetch().then(() => setChanges(new Map()))
          wasInterrupted = false
        },
        onInterrupted: (delay) => {
          wasInterrupted = true
          setStream(delay === null ? 'failed' : 'interrupted')
        },
        onEvent: ({ name, data }) => {
          if (name !== 'zones') return
          const zones = JSON.parse(data) as LiveCurbZone[]
          setChanges(
            (previous) => new Map([...previous, ...zones.map((zone) => [zone.curb_zone_id, zone] as const)]),
          )
        },
      },
    )
    return () => stop.abort()
  }, [regionId, refetch])
  const zones = list.data?.zones.map((zone) => ({ ...zone, ...changes.get(zone.curb_zone_id) }))
  return { list, zones, stream }
}

export type ZoneStatus = 'full' | 'busy' | 'free' | 'unknown'
export const zoneStatuses = ['full', 'busy', 'free', 'unknown'] as const

/**
 * Returns the status of a zone. It is unknown without sources or a capacity, if more than half of the capacity is
 * unknown, or if the last free space may be occupied.
 */
export function getZoneStatus({ capacity, occupied, free, unknown }: LiveCurbZone): ZoneStatus {
  if (capacity === null || free === null || unknown === null || unknown * 2 > capacity) return 'unknown'
  if (free === 0) return unknown > 0 ? 'unknown' : 'full'
  return occupied === 0 ? 'free' : 'busy'
}
