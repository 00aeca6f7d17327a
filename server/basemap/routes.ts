import * as contract from '#contract/basemap.ts'
import { type Route, route } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import type { DeploymentBasemap } from './open-basemap.ts'
import { replaceBasemap } from './replace-basemap.ts'

interface BasemapServices {
  state: State
  basemap: DeploymentBasemap
  dataDir: string
}

export function basemapRoutes({ state, basemap, dataDir }: BasemapServices): Route[] {
  return [
    route(contract.getBasemap, () => basemap.find()),
    route(contract.replaceBasemap, ({ viewer, params, body, at }) =>
      replaceBasemap({ state, scope: viewer.scope, regionId: params.region_id, dataDir, at }, body),
    ),
  ]
}
