import type { Route } from '#server/http/route.ts'
import { oauthTokens } from './auth/oauth-tokens.ts'
import type { Feeds } from './feeds.ts'
import { openPuller, type Puller } from './pull/pull-feeds.ts'
import { feedRoutes } from './routes.ts'
import fs from 'node:fs/promises'
import path from 'node:path'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { rawIn } from './raw/raw-files.ts'

const day = 86_400_000
const foldersIn = async (folder: string): Promise<string[]> =>
  (await fs.readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((each) => each.isDirectory())
    .map(({ name }) => name)

/** Removes raw input that is older than its region retains, and that of deleted regions. Returns the number of removed days of feeds. */
export async function removeOldRaw(state: Pick<State, 'as'>, dataDir: string, at: Date): Promise<number> {
  const root = rawIn(dataDir)
  const rows = await state
    .as(systemScope)
    .selectFrom('region')
    .select(['region_id', 'raw_retention_days'])
    .execute()
  const retentionDays = new Map(rows.map((row) => [row.region_id, row.raw_retention_days]))
  let removed = 0
  for (const region of await foldersIn(root))
    for (const feed of await foldersIn(path.join(root, region))) {
      const folder = path.join(root, region, feed)
      for (const date of await foldersIn(folder)) {
        // A day is old when all of it is.
        const ends = Date.parse(date) + day
        if (Number.isNaN(ends) || ends + (retentionDays.get(region) ?? 0) * day > at.getTime()) continue
        await fs.rm(path.join(folder, date), { recursive: true, force: true })
        removed++
      }
      // Empty folders are removed too.
      await fs.rmdir(folder).catch(() => undefined)
    }
  return removed
}

/** Feeds of all regions. */
export interface OpenFeeds extends Puller {
  routes: Route[]
  /** Removes raw input that is older than its region retains. */
  removeOldRaw(): Promise<void>
}

/** `alone`: this process owns the state store, so that leases of other processes are stale. */
export function openFeeds(feeds: Feeds & { alone?: boolean }): OpenFeeds {
  const { state, dataDir, log, now } = feeds
  const tokens = oauthTokens(feeds.fetch, now)
  const puller = openPuller(feeds, tokens, { alone: feeds.alone ?? false })
  return {
    ...puller,
    routes: feedRoutes(feeds, tokens, puller),
    async removeOldRaw() {
      const removed = await removeOldRaw(state, dataDir, now())
      if (removed) log('raw input removed', { days: removed })
    },
  }
}
