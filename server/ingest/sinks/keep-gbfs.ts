import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { storeFeedLayer } from '#server/geography/store-feed-layer.ts'
import { readBoundaryFile } from '#server/geography/boundary-uploads.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import type { LiveSnapshot } from '#server/mobility/live/live-snapshot.ts'
import { findSnapshotNear } from '#server/mobility/snapshot-near.ts'
import { StationHistory } from '#server/mobility/stations/station-history.ts'
import { storeSnapshot } from '#server/mobility/store-snapshot.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { isObject } from '../adapters/answer-body.ts'
import { gbfs } from '../adapters/gbfs.ts'
import { composeSnapshot, type GbfsParts } from '../gbfs/compose-snapshot.ts'
import { bodiesOf, keepBody, noteInSettings } from '../gbfs/gbfs-bodies.ts'
import { type GbfsPart, isGbfsPart } from '../gbfs/gbfs-part.ts'
import type { SunkFeed } from './sunk-feed.ts'

/** Between two snapshots of a feed that are stored. */
const apartMs = 15 * 60_000

export interface GbfsKeeping {
  state: State
  facts: Facts
  log: Log
  /** Told of every new snapshot: the live map. */
  onSnapshot: (snapshot: LiveSnapshot) => void
}

const countOf = (part: GbfsPart): number => Object.values(part).find(Array.isArray)?.length ?? 1

/** Keeps what GBFS feeds bring: the newest files for the proxy, snapshots for the live map and the fact store, the history of stations, zones as a layer of the region. */
export class GbfsKeeper {
  readonly #keeping: GbfsKeeping
  /** The newest files of each feed, as read. */
  readonly #parts = new Map<string, GbfsParts>()
  /** When the last stored snapshot of each feed was taken, ms. */
  readonly #stored = new Map<string, number>()
  readonly #stations: StationHistory
  constructor(keeping: GbfsKeeping) {
    this.#keeping = keeping
    this.#stations = new StationHistory(keeping.facts)
  }

  /** Takes one file of a feed. Answers how many records it took; the same again changes nothing. */
  readonly take = async (feed: SunkFeed, other: unknown, received: number): Promise<number> => {
    if (!isGbfsPart(other)) return 0
    const { state } = this.#keeping
    const scope = regionScope(feed.organizationId, feed.regionId)
    const parts = await this.#partsOf(feed, scope)
    const isNewest = await keepBody(state, scope, feed, other, received)
    if (other.kind === 'vehicles')
      await this.#store(feed, scope, { ...parts, vehicles: other, status: undefined }, received)
    if (other.kind === 'status') await this.#stations.recordStates(scope, feed, other.statuses, received)
    if (other.kind === 'stations') await this.#stations.recordDetails(scope, feed, other.stations, received)
    if (!isNewest) return countOf(other)
    if (other.kind === 'discovery') await this.#discover(feed, scope, other.feeds)
    else if (other.kind === 'zones') await this.#keepZones(feed, scope, other, received)
    else if (other.kind !== 'kept') {
      Object.assign(parts, { [other.kind]: other })
      const snapshot = composeSnapshot(feed, parts)
      if (snapshot) this.#keeping.onSnapshot(snapshot)
    }
    return countOf(other)
  }

  /** Tells of the last known snapshot of a feed, with its stations: after a start. */
  async recall(feed: SunkFeed): Promise<void> {
    const snapshot = composeSnapshot(
      feed,
      await this.#partsOf(feed, regionScope(feed.organizationId, feed.regionId)),
    )
    if (snapshot) this.#keeping.onSnapshot(snapshot)
  }

  /** The newest files of a feed: those of this run, at first those that an earlier one kept. */
  async #partsOf(feed: SunkFeed, scope: Scope): Promise<GbfsParts> {
    const known = this.#parts.get(feed.feedId)
    if (known) return known
    const parts: GbfsParts = {}
    for (const { endpoint, body, received } of await bodiesOf(this.#keeping.state, scope, feed)) {
      if (endpoint === 'gbfs') continue
      try {
        const { other } = gbfs.read(feed, endpoint, Buffer.from(body), received)
        if (isGbfsPart(other)) Object.assign(parts, { [other.kind]: other })
      } catch (error) {
        this.#keeping.log('kept GBFS file could not be read', {
          feedId: feed.feedId,
          endpoint,
          error: String(error),
        })
      }
    }
    const meanwhile = this.#parts.get(feed.feedId)
    if (meanwhile) return meanwhile
    this.#parts.set(feed.feedId, parts)
    return parts
  }

  async #store(feed: SunkFeed, scope: Scope, parts: GbfsParts, received: number): Promise<void> {
    // Types come in a file of their own, which may still be on its way.
    if (
      !parts.types &&
      isObject(feed.settings['discovered']) &&
      'vehicle_types' in feed.settings['discovered'] &&
      parts.vehicles?.vehicles.some(({ typeId }) => typeId)
    )
      return
    const snapshot = composeSnapshot(feed, parts)
    if (!snapshot?.vehicles.length) return
    const last = this.#stored.get(feed.feedId)
    if (last !== undefined && Math.abs(snapshot.at - last) < apartMs) return
    // Of what is read again later, and after a start, only the store knows.
    const near =
      last === undefined || snapshot.at < last
        ? await findSnapshotNear(this.#keeping.facts, scope, snapshot, apartMs)
        : null
    if (near === null) await storeSnapshot(this.#keeping.facts, scope, snapshot, received)
    this.#stored.set(feed.feedId, Math.max(last ?? 0, near ?? snapshot.at))
  }

  async #discover(
    feed: SunkFeed,
    scope: Scope,
    feeds: readonly { name: string; url: string }[],
  ): Promise<void> {
    const discovered = Object.fromEntries(feeds.map(({ name, url }) => [name, url]))
    const before = isObject(feed.settings['discovered']) ? feed.settings['discovered'] : {}
    // The store orders names in its own way.
    const isSame =
      Object.keys(before).length === feeds.length && feeds.every(({ name, url }) => before[name] === url)
    if (!isSame) await noteInSettings(this.#keeping.state, scope, feed, { discovered })
  }

  async #keepZones(
    feed: SunkFeed,
    scope: Scope,
    { zones }: Extract<GbfsPart, { kind: 'zones' }>,
    received: number,
  ): Promise<void> {
    const { state, log } = this.#keeping
    const zonesHash = hash('sha256', JSON.stringify(zones)).slice(0, 32)
    const { zonesLayer, zonesHash: before } = feed.settings
    const layerId = typeof zonesLayer === 'string' ? zonesLayer : null
    const isThere =
      layerId !== null &&
      (await state
        .as(scope)
        .selectFrom('layer')
        .select('layer_id')
        .where('region_id', '=', feed.regionId)
        .where('layer_id', '=', layerId)
        .executeTakeFirst()) !== undefined
    if ((before === zonesHash && isThere) || !zones.length) return
    const named = await state
      .as(scope)
      .selectFrom('operator')
      .select('name')
      .where('slug', '=', feed.operator)
      .executeTakeFirst()
    try {
      const reading = await readBoundaryFile(
        'geofencing_zones.geojson',
        Readable.from([Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: zones }))]),
      )
      const kept = await storeFeedLayer(
        state,
        scope,
        feed.regionId,
        layerId,
        `${named?.name ?? feed.operator} geofencing zones`,
        reading,
        new Date(received),
      )
      await noteInSettings(state, scope, feed, { zonesLayer: kept, zonesHash })
    } catch (error) {
      // No zone has a geometry that can be mended: the vehicles of the feed are none the worse.
      if (!(error instanceof Problem)) throw error
      log('geofencing zones could not be read', { feedId: feed.feedId, problem: error.message })
    }
  }
}
