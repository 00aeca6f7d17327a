import * as contract from '#contract/curb-edits.ts'
import { type Route, route } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { listChangeSets } from './change-sets.ts'
import { findEditZones } from './edit-zones.ts'
import { saveEdits } from './save-edits.ts'

export const curbEditRoutes = (state: State): Route[] => [
  route(contract.findCurbEditZones, (call) => findEditZones(state, call)),
  route(contract.saveCurbEdits, (call) => saveEdits(state, call)),
  route(contract.listCurbChangeSets, (call) => listChangeSets(state, call)),
]
