import * as contract from '#contract/charges.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { changeCharge, createCharge, deleteCharge, listCharges } from './charge-store.ts'
import { listReportedQuantities, readQuantityFile, reportQuantities } from './reported-quantities.ts'

/** Declares the routes of charges that are not part of a policy, and of their reported quantities. */
export const chargeRoutes = (stores: { state: State; facts: Facts }): Route[] => [
  route(contract.listCharges, (call) => listCharges(stores.state, call)),
  route(contract.createCharge, (call) => createCharge(stores.state, call)),
  route(contract.changeCharge, (call) => changeCharge(stores.state, call)),
  route(contract.deleteCharge, (call) => deleteCharge(stores.state, call)),
  route(contract.listReportedQuantities, (call) => listReportedQuantities(stores, call)),
  route(contract.reportQuantities, (call) => reportQuantities(stores, call, call.body.items)),
  route(contract.importQuantities, (call) => reportQuantities(stores, call, readQuantityFile(call.body.csv))),
]
