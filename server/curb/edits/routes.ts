import * as contract from '#contract/curb-edits.ts'
import { type Route, route } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { listChangeSets } from './change-sets.ts'
import { findEditZones } from './edit-zones.ts'
import { saveEdits } from './save-edits.ts'

/** Endpoints for drawing and editing curb zones by hand. */
export function curbEditRoutes(state: State): Route[] {
  return [
    route(contract.findCurbEditZones, ({ viewer, params, body, at }) =>
      findEditZones(
        state,
        viewer.scope,
        params.region_id,
        { box: body.box ?? null, ids: body.curb_zone_ids },
        at,
      ),
    ),
    route(contract.saveCurbEdits, ({ viewer, params, body, at }) =>
      saveEdits(state, viewer, params.region_id, body, at),
    ),
    route(contract.listCurbChangeSets, ({ viewer, params, query }) =>
      listChangeSets(state, viewer.scope, params.region_id, query),
    ),
  ]
}
