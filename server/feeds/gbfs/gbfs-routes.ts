import { getGbfs } from '#contract/gbfs.ts'
import { type Route, route } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { readGbfsFile } from './read-gbfs-file.ts'

export const gbfsRoutes = (state: State, publicUrl: string): Route[] => [
  route(getGbfs, (call) => readGbfsFile(state, call.viewer.scope, call, publicUrl)),
]
