import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { getErrorMessage } from '#contract/problem-text.ts'
import { storeFeedLayer } from '#server/geography/layers/store-feed-layer.ts'
import { readBoundaryFile } from '#server/geography/boundary-files/boundary-uploads.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import type { LiveSnapshot } from '#server/live/live-snapshot.ts'
import { findSnapshotNear, storeSnapshot } from '#server/live/snapshots/store-snapshot.ts'
import { StationHistory } from '#server/fleet/stations/station-history.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { isObject } from '../adapters/response-body.ts'
import { gbfs } from '../adapters/gbfs.ts'
import { composeSnapshot, type GbfsParts } from '../gbfs/compose-snapshot.ts'
import { findBodies, storeBody, mergeSettings } from '../gbfs/gbfs-bodies.ts'
import { type GbfsPart, isGbfsPart } from '../gbfs/gbfs-part.ts'
import type { SinkFeed } from './sink-feed.ts'

/** The minimum time between two stored snapshots of a feed. */
const snapshotIntervalMs = 15 * 60_000

export interface GbfsSinkOptions {
  state: State
  facts: Facts
  log: Log
  /** Called with every new snapshot, for the live map. */
  onSnapshot: (snapshot: LiveSnapshot) => void
  /** Called when a new file of a feed is stored, for other servers. */
  onStored?: (feedId: string) => void
}

/** Returns the length of the list in a file; 1 for a file without a list. */
const countRecords = (part: GbfsPart): number => Object.values(part).find(Array.isArray)?.length ?? 1

/**
 * Stores the content of GBFS feeds: the newest files for the proxy, snapshots for the live map and the fact
 * store, the history of stations, and zones as a layer of the region.
 */
export class GbfsSink {
  readonly #options: GbfsSinkOptions
  /** The newest parsed files of each feed. */
  readonly #parts = new Map<string, GbfsParts>()
  /** The time of the last stored snapshot of each feed, ms. */
  readonly #lastStored = new Map<string, number>()
  readonly #stations: StationHistory
  constructor(options: GbfsSinkOptions) {
    this.#options = options
    this.#stations = new StationHistory(options.facts)
  }

  /** Stores a file of a feed. Idempotent. Returns the number of its records. */
  readonly store = async (feed: SinkFeed, content: unknown, received: number): Promise<number> => {
    if (!isGbfsPart(content)) return 0
    const { state } = this.#options
    const scope = regionScope(feed.organizationId, feed.regionId)
    const parts = await this.#findParts(feed, scope)
    const isNewest = await storeBody(state.as(scope), feed, content, received)
    if (content.kind === 'vehicles')
      await this.#storeSnapshot(feed, scope, { ...parts, vehicles: content, status: undefined }, received)
    if (content.kind === 'status') await this.#stations.recordStates(scope, feed, content.statuses, received)
    if (content.kind === 'stations')
      await this.#stations.recordDetails(scope, feed, content.stations, received)
    if (!isNewest) return countRecords(content)
    if (content.kind === 'discovery') await this.#storeUrls(feed, scope, content.feeds)
    else if (content.kind === 'zones') await this.#storeZones(feed, scope, content, received)
    else if (content.kind !== 'unparsed') {
      Object.assign(parts, { [content.kind]: content })
      const snapshot = composeSnapshot(feed, parts)
      if (snapshot) this.#options.onSnapshot(snapshot)
      this.#options.onStored?.(feed.feedId)
    }
    return countRecords(content)
  }

  /** Restores a feed's last snapshot from the store, after a start or if another server stored a newer. */
  async restore(feed: SinkFeed): Promise<void> {
    this.#parts.delete(feed.feedId)
    const snapshot = composeSnapshot(
      feed,
      await this.#findParts(feed, regionScope(feed.organizationId, feed.regionId)),
    )
    if (snapshot) this.#options.onSnapshot(snapshot)
  }

  /** Finds the newest parsed files of a feed, from memory or from the store. */
  async #findParts(feed: SinkFeed, scope: Scope): Promise<GbfsParts> {
    const cached = this.#parts.get(feed.feedId)
    if (cached) return cached
    const parts: GbfsParts = {}
    for (const { endpoint, body, received } of await findBodies(this.#options.state.as(scope), feed)) {
      if (endpoint === 'gbfs') continue
      try {
        const { other } = gbfs.read(feed, endpoint, Buffer.from(body), received)
        if (isGbfsPart(other)) Object.assign(parts, { [other.kind]: other })
      } catch (error) {
        this.#options.log('stored GBFS file could not be read', {
          feedId: feed.feedId,
          endpoint,
          error: getErrorMessage(error),
        })
      }
    }
    // A concurrent call may have read them meanwhile; both must use the same object.
    const concurrent = this.#parts.get(feed.feedId)
    if (concurrent) return concurrent
    this.#parts.set(feed.feedId, parts)
    return parts
  }

  /** Stores a snapshot of vehicles unless one is stored within `snapshotIntervalMs` of it. */
  async #storeSnapshot(feed: SinkFeed, scope: Scope, parts: GbfsParts, received: number): Promise<void> {
    // Vehicle types are in a separate file, which may not have been received yet.
    if (
      !parts.types &&
      isObject(feed.settings['discovered']) &&
      'vehicle_types' in feed.settings['discovered'] &&
      parts.vehicles?.vehicles.some(({ typeId }) => typeId)
    )
      return
    const snapshot = composeSnapshot(feed, parts)
    if (!snapshot?.vehicles.length) return
    const lastTime = this.#lastStored.get(feed.feedId)
    if (lastTime !== undefined && Math.abs(snapshot.at - lastTime) < snapshotIntervalMs) return
    // After a start, and when raw input is read again, only the store lists the existing snapshots.
    const storedTime =
      lastTime === undefined || snapshot.at < lastTime
        ? await findSnapshotNear(this.#options.facts, scope, snapshot, snapshotIntervalMs)
        : null
    if (storedTime === null) await storeSnapshot(this.#options.facts, scope, snapshot, received)
    this.#lastStored.set(feed.feedId, Math.max(lastTime ?? 0, storedTime ?? snapshot.at))
  }

  /** Stores the URLs of a feed's files among its settings if they have changed. */
  async #storeUrls(
    feed: SinkFeed,
    scope: Scope,
    feeds: readonly { name: string; url: string }[],
  ): Promise<void> {
    const discovered = Object.fromEntries(feeds.map(({ name, url }) => [name, url]))
    const previous = isObject(feed.settings['discovered']) ? feed.settings['discovered'] : {}
    // Compared by name, because the database does not preserve the order.
    const isUnchanged =
      Object.keys(previous).length === feeds.length && feeds.every(({ name, url }) => previous[name] === url)
    if (!isUnchanged) await mergeSettings(this.#options.state.as(scope), feed, { discovered })
  }

  /** Stores geofencing zones as a layer of the region if they have changed or the layer is missing. */
  async #storeZones(
    feed: SinkFeed,
    scope: Scope,
    { zones }: Extract<GbfsPart, { kind: 'zones' }>,
    received: number,
  ): Promise<void> {
    const { state, log } = this.#options
    const zonesHash = hash('sha256', JSON.stringify(zones)).slice(0, 32)
    const { zonesLayer, zonesHash: previousHash } = feed.settings
    const layerId = typeof zonesLayer === 'string' ? zonesLayer : null
    const layerExists =
      layerId !== null &&
      (await state
        .as(scope)
        .selectFrom('layer')
        .select('layer_id')
        .where('region_id', '=', feed.regionId)
        .where('layer_id', '=', layerId)
        .executeTakeFirst()) !== undefined
    if ((previousHash === zonesHash && layerExists) || !zones.length) return
    const operator = await state
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
      const layer = await storeFeedLayer(state, scope, {
        regionId: feed.regionId,
        layerId,
        name: `${operator?.name ?? feed.operator} geofencing zones`,
        reading,
        at: new Date(received),
      })
      await mergeSettings(state.as(scope), feed, { zonesLayer: layer, zonesHash })
    } catch (error) {
      // No zone has a valid geometry. That must not affect the vehicles of the feed.
      if (!(error instanceof Problem)) throw error
      log('geofencing zones could not be read', { feedId: feed.feedId, problem: error.message })
    }
  }
}
