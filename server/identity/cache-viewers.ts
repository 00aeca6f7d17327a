import { createHash } from 'node:crypto'
import type { Viewer, FindViewer } from '#server/http/viewer.ts'
import { InvalidatingCache } from '#server/stores/invalidating-cache.ts'
import type { State } from '#server/stores/state.ts'
import { impersonationHeader } from './find-viewer.ts'

/** What a viewer is made of (`findViewer`): a sign-out, a right taken away or a user disabled counts for the very next request. */
const viewerTables = [
  'session',
  'user',
  'organization',
  'user_role',
  'role',
  'user_region',
  'region',
  'account',
  'twoFactor',
]
const cacheSeconds = 5

/** The same viewers, without asking the state store again for each tile of a map. */
export function cacheViewers(state: State, find: FindViewer, now: () => Date): FindViewer {
  const viewers = new InvalidatingCache<Viewer | null>({
    changes: state.changes,
    tables: viewerTables,
    ttlMs: cacheSeconds * 1000,
    maxEntries: 2000,
    now: () => now().getTime(),
  })
  return (headers) => {
    const credentials = ['cookie', 'authorization', impersonationHeader].map(
      (name) => headers.get(name) ?? '',
    )
    if (credentials.every((text) => text === '')) return Promise.resolve(null)
    // Sign-ins are not held in memory as they came.
    return viewers.get(createHash('sha256').update(JSON.stringify(credentials)).digest('base64'), () =>
      find(headers),
    )
  }
}
