import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { NewFeed } from '#contract/feeds.ts'
import { NewFeed as NewFeedShape } from '#contract/feeds.ts'
import { openFeeds } from '#server/feeds/open-feeds.ts'
import type { FeedServices } from '#server/feeds/feed-services.ts'
import { createFeed } from '#server/feeds/save-feed.ts'
import { createGuardedFetch } from '#server/http/guarded-fetch.ts'
import { systemScope, viewerScope } from '#server/identity/scope.ts'
import { openDirectoryBlobs } from '#server/stores/blobs/directory-blobs.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { openState } from '#server/stores/state.ts'
import { createDataDir } from '../new-data-dir.ts'
import { createMemoryFleetIngest } from './memory-fleet-ingest.ts'
import { noFacts, plainAdapter, townKey } from './plain-adapter.ts'

/** Opens a state store with two organizations, their regions and feeds. The test sets the clock. */
export async function openTown(overrides: Partial<FeedServices> = {}) {
  const dataDir = createDataDir()
  const state = await openState({ databaseUrl: null, dataDir })
  const store = state.as(systemScope)
  const organizations = { alder: randomUUID(), cedar: randomUUID() }
  for (const [name, id] of Object.entries(organizations)) {
    await store.insertInto('organization').values({ organization_id: id, name, type: 'city' }).execute()
    await store
      .insertInto('region')
      .values({
        region_id: name,
        organization_id: id,
        text: name,
        lat: 41,
        lon: -72,
        map_zoom: 11,
        currency_code: 'USD',
        timezone: 'America/New_York',
        is_metric: true,
        logo_filename: null,
      })
      .execute()
    await store
      .insertInto('operator')
      .values({
        organization_id: id,
        slug: 'swift',
        name: 'Swift',
        color_hex: '#112233',
        provider_id: '5f0cbe2c-4bb9-41ad-a2d5-84ca3bb9bd5a',
      })
      .execute()
  }
  const clock = { at: new Date('2026-05-01T12:30:00Z') }
  const logged: string[] = []
  const fleetIngest = createMemoryFleetIngest()
  const feeds: FeedServices = {
    state,
    facts: noFacts,
    fleetIngest,
    secretBox: createSecretBox(townKey),
    fetch: createGuardedFetch({ privateAddresses: true }),
    blobs: openDirectoryBlobs(dataDir),
    log: (line, details) => logged.push(JSON.stringify({ line, ...details })),
    now: () => clock.at,
    sinks: {},
    adapters: [plainAdapter],
    ...overrides,
  }
  const viewer = {
    organizationId: organizations.alder,
    scope: viewerScope(organizations.alder, ['alder'], 'user'),
  }
  const stranger = {
    organizationId: organizations.cedar,
    scope: viewerScope(organizations.cedar, ['cedar'], 'other'),
  }
  return {
    dataDir,
    state,
    store,
    organizations,
    clock,
    logged,
    fleetIngest,
    feeds,
    viewer,
    stranger,
    engine: openFeeds({ ...feeds, isAlone: true }),
    addFeed: (overrides: Partial<NewFeed> & Pick<NewFeed, 'url'>) =>
      createFeed(feeds, {
        viewer,
        params: { region_id: 'alder' },
        body: NewFeedShape.parse({
          kind: 'mds_provider',
          version: '2.0',
          name: 'Swift',
          operator: 'swift',
          settings: { backfillHours: 3 },
          ...overrides,
        }),
        at: clock.at,
      }),
    pullWindows: () => store.selectFrom('pull_window').selectAll().orderBy('window_start').execute(),
    /** Lists the files of the data directory except those of the stores. */
    files: (): string[] =>
      fs.existsSync(path.join(dataDir, 'raw'))
        ? fs
            .readdirSync(path.join(dataDir, 'raw'), { recursive: true, encoding: 'utf8' })
            .filter((name) => name.endsWith('.gz'))
        : [],
    async close() {
      await state.close()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
