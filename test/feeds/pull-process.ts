// A process that only pulls, for tests that kill it. Takes the data directory, prints `pulling` when started.
import path from 'node:path'
import { openFeeds } from '#server/feeds/open-feeds.ts'
import { createGuardedFetch } from '#server/http/guarded-fetch.ts'
import { openDirectoryBlobs } from '#server/stores/blobs/directory-blobs.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { openState } from '#server/stores/state.ts'
import { openFileFleetIngest } from './file-fleet-ingest.ts'
import { noFacts, plainAdapter, townKey } from './plain-adapter.ts'

const dataDir = process.argv[2] ?? ''
const state = await openState({ databaseUrl: null, dataDir })
const feeds = openFeeds({
  state,
  facts: noFacts,
  fleetIngest: openFileFleetIngest(path.join(dataDir, 'kept')),
  secretBox: createSecretBox(townKey),
  fetch: createGuardedFetch({ privateAddresses: true }),
  blobs: openDirectoryBlobs(dataDir),
  log: (line, details) => console.error(line, details),
  now: () => new Date(),
  sinks: {},
  adapters: [plainAdapter],
  isAlone: true,
})
const timer = setInterval(() => feeds.isDue() && void feeds.pull(), 100)
console.log('pulling')
process.on(
  'SIGTERM',
  () => void (clearInterval(timer), feeds.stop()).then(() => state.close()).then(() => process.exit(0)),
)
