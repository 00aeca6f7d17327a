import * as contract from '#contract/curb-regulations.ts'
import { changeCurbSettings, getCurbSettings } from '#contract/curb-settings.ts'
import * as zones from '#contract/curb-zones.ts'
import type { CurbIndexes } from '../store/curb-index.ts'
import { readCurbSettings } from '../store/curb-settings.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State } from '#server/stores/state.ts'
import { changeSettings } from './change-settings.ts'
import { downloadPolicies, downloadPoliciesAndZones } from './download-regulations.ts'
import { findRegulation, listRevisions } from './find-regulation.ts'
import { lintRegulation } from './lint-regulation.ts'
import { countByActivity, listRegulations } from './list-regulations.ts'
import { findZones, listZones, listZoneLengths, listZonesWithin } from './list-zones.ts'
import {
  deleteRegulation,
  discardDraft,
  publishRegulation,
  unpublishRegulation,
} from './publish-regulation.ts'
import { duplicateRegulation, saveRegulation } from './save-regulation.ts'

/**
 * Routes of the library of curb regulations, of the zones to which they apply, and of the curb's settings.
 */
export function regulationRoutes(state: State, indexes: CurbIndexes): Route[] {
  return [
    route(contract.filterCurbPolicies, ({ viewer, params, body, at }) =>
      listRegulations({ state, indexes }, viewer.scope, params.region_id, body, at),
    ),
    route(contract.getCurbActivityStatistics, ({ viewer, params, body, at }) =>
      countByActivity({ state, indexes }, viewer.scope, params.region_id, body, at),
    ),
    route(contract.getCurbPolicy, ({ viewer, params, at }) =>
      findRegulation(state, viewer.scope, params.region_id, params.curb_policy_id, at),
    ),
    route(contract.listCurbPolicyRevisions, async ({ viewer, params }) => ({
      items: await listRevisions(state, viewer.scope, params.region_id, params.curb_policy_id),
    })),
    route(contract.downloadCurbPolicies, ({ viewer, params, query, at }) =>
      downloadPolicies(state, viewer.scope, params.region_id, query.format, at),
    ),
    route(contract.downloadPoliciesAndZones, ({ viewer, params, at }) =>
      downloadPoliciesAndZones(state, viewer.scope, params.region_id, at),
    ),
    route(contract.saveCurbPolicy, ({ viewer, params, body, at }) =>
      saveRegulation(state, viewer, params.region_id, body, at),
    ),
    route(contract.duplicateCurbPolicy, ({ viewer, params, body, at }) =>
      duplicateRegulation(state, viewer, params.region_id, body.curb_policy_id, at),
    ),
    route(contract.publishCurbPolicy, ({ viewer, params, body, at }) =>
      (body.published ? publishRegulation : unpublishRegulation)(
        state,
        viewer,
        params.region_id,
        { id: body.curb_policy_id, effectiveTime: body.effective_time, expectedTime: body.if_modified_time },
        at,
      ),
    ),
    route(contract.discardCurbDraft, ({ viewer, params, body, at }) =>
      discardDraft(
        state,
        viewer,
        params.region_id,
        { id: body.curb_policy_id, expectedTime: body.if_modified_time },
        at,
      ),
    ),
    route(contract.deleteCurbPolicy, async ({ viewer, params, body, at }) => {
      const request = { id: body.curb_policy_id, expectedTime: body.if_modified_time }
      await deleteRegulation(state, viewer, params.region_id, request, at)
      return { deleted: true }
    }),
    route(contract.lintCurbPolicy, ({ viewer, params, body, at }) =>
      lintRegulation({ state, indexes }, viewer.scope, params.region_id, body, at),
    ),
    route(zones.listCurbZoneChoices, ({ viewer, params, query, at }) =>
      listZones(state, viewer.scope, params.region_id, query, at),
    ),
    route(zones.findCurbZoneChoices, ({ viewer, params, body, at }) =>
      findZones(state, viewer.scope, params.region_id, body.curb_zone_ids, at),
    ),
    route(zones.listCurbZonesWithin, ({ viewer, params, query, at }) =>
      listZonesWithin(
        state,
        viewer.scope,
        params.region_id,
        [query.west, query.south, query.east, query.north],
        at,
      ),
    ),
    route(zones.lookUpZoneLengths, ({ viewer, params, at }) =>
      listZoneLengths(state, viewer.scope, params.region_id, at),
    ),
    route(getCurbSettings, async ({ viewer, params }) => {
      await findRegion(state, viewer.scope, params.region_id)
      return readCurbSettings(state.as(viewer.scope), params.region_id)
    }),
    route(changeCurbSettings, ({ viewer, params, body }) =>
      changeSettings(state, viewer, params.region_id, body),
    ),
  ]
}
