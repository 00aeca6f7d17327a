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
import { publishRegulation } from './publish-regulation.ts'
import { duplicateRegulation, saveRegulation } from './save-regulation.ts'
import { deleteRegulation, discardDraft, unpublishRegulation } from './withdraw-regulation.ts'

/** Declares routes of the library of curb regulations, their zones, and the settings of the curb. */
export function regulationRoutes(state: State, indexes: CurbIndexes): Route[] {
  const sources = { state, indexes }
  return [
    route(contract.filterCurbPolicies, (call) => listRegulations(sources, call)),
    route(contract.getCurbActivityStatistics, (call) => countByActivity(sources, call)),
    route(contract.getCurbPolicy, (call) => findRegulation(state, call)),
    route(contract.listCurbPolicyRevisions, async (call) => ({ items: await listRevisions(state, call) })),
    route(contract.downloadCurbPolicies, (call) => downloadPolicies(state, call)),
    route(contract.downloadPoliciesAndZones, (call) => downloadPoliciesAndZones(state, call)),
    route(contract.saveCurbPolicy, (call) => saveRegulation(state, call)),
    route(contract.duplicateCurbPolicy, (call) => duplicateRegulation(state, call)),
    route(contract.publishCurbPolicy, (call) =>
      call.body.published ? publishRegulation(state, call) : unpublishRegulation(state, call),
    ),
    route(contract.discardCurbDraft, (call) => discardDraft(state, call)),
    route(contract.deleteCurbPolicy, async (call) => {
      await deleteRegulation(state, call)
      return { deleted: true }
    }),
    route(contract.lintCurbPolicy, (call) => lintRegulation(sources, call)),
    route(zones.listCurbZoneChoices, (call) => listZones(state, call)),
    route(zones.findCurbZoneChoices, (call) => findZones(state, call)),
    route(zones.listCurbZonesWithin, (call) => listZonesWithin(state, call)),
    route(zones.lookUpZoneLengths, (call) => listZoneLengths(state, call)),
    route(getCurbSettings, async ({ viewer, params }) => {
      await findRegion(state, viewer.scope, params.region_id)
      return readCurbSettings(state.as(viewer.scope), params.region_id)
    }),
    route(changeCurbSettings, (call) => changeSettings(state, call)),
  ]
}
