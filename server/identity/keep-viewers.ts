import { createHash } from 'node:crypto'
import type { Viewer, ViewerOf } from '#server/http/viewer.ts'
import { KeptUntilChange } from '#server/stores/kept-until-change.ts'
import type { State } from '#server/stores/state.ts'
import { impersonationHeader } from './find-viewer.ts'

/** What a viewer is made of (`findViewer`): a sign-out, a right taken away or a user disabled counts for the very next request. */
const tables = [
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
const seconds = 5

/** The same viewers, without asking the state store again for each tile of a map. */
export function keepViewers(state: State, find: ViewerOf, now: () => Date): ViewerOf {
  const viewers = new KeptUntilChange<Viewer | null>({
    changes: state.changes,
    tables,
    forMs: seconds * 1000,
    most: 2000,
    now: () => now().getTime(),
  })
  return (headers) => {
    const said = ['cookie', 'authorization', impersonationHeader].map((name) => headers.get(name) ?? '')
    if (said.every((text) => text === '')) return Promise.resolve(null)
    // Sign-ins are not held in memory as they came.
    return viewers.get(createHash('sha256').update(JSON.stringify(said)).digest('base64'), () =>
      find(headers),
    )
  }
}
