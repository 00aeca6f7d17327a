import { createHash } from 'node:crypto'
import type { Viewer, FindViewer } from '#server/http/viewer.ts'
import { InvalidatingCache } from '#server/stores/invalidating-cache.ts'
import type { State } from '#server/stores/state.ts'
import { impersonationHeader } from './find-viewer.ts'

/** Tables that `findViewer` reads. Changes to them, such as a sign-out, take effect at the next request. */
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
/** No table changes when a session expires by time, so viewers are read again after this time. */
const cacheMs = 5000

/** Caches viewers by credentials, so that each map tile does not query the state store. */
export function cacheViewers(state: State, findViewer: FindViewer, now: () => Date): FindViewer {
  const viewers = new InvalidatingCache<Viewer | null>({
    changes: state.changes,
    tables: viewerTables,
    ttlMs: cacheMs,
    maxEntries: 2000,
    nowMs: () => now().getTime(),
  })
  return (headers) => {
    const credentials = ['cookie', 'authorization', impersonationHeader].map(
      (name) => headers.get(name) ?? '',
    )
    if (credentials.every((text) => text === '')) return Promise.resolve(null)
    // Credentials are hashed, so that they do not remain in memory.
    return viewers.get(createHash('sha256').update(JSON.stringify(credentials)).digest('base64'), () =>
      findViewer(headers),
    )
  }
}
