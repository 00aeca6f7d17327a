import * as contract from '#contract/charges.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { changeCharge, createCharge, deleteCharge, listCharges } from './charge-store.ts'
import { listQuantities, readQuantityFile, reportQuantities } from './reported-quantities.ts'

/** Routes of charges that are not part of a policy, and of their reported quantities. */
export const chargeRoutes = (stores: { state: State; facts: Facts }): Route[] => [
  route(contract.listCharges, ({ viewer, params }) => listCharges(stores.state, viewer, params.region_id)),
  route(contract.createCharge, ({ viewer, params, body, at }) =>
    createCharge(stores.state, viewer, params.region_id, body, at),
  ),
  route(contract.changeCharge, ({ viewer, params, body }) =>
    changeCharge(stores.state, viewer, params, body),
  ),
  route(contract.deleteCharge, ({ viewer, params }) => deleteCharge(stores.state, viewer, params)),
  route(contract.listReportedQuantities, ({ viewer, params, query }) =>
    listQuantities(stores, viewer, params.region_id, query),
  ),
  route(contract.reportQuantities, ({ viewer, params, body, at }) =>
    reportQuantities(stores, viewer, params.region_id, body.items, at),
  ),
  route(contract.importQuantities, ({ viewer, params, body, at }) =>
    reportQuantities(stores, viewer, params.region_id, readQuantityFile(body.csv), at),
  ),
]
