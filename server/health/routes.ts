import { healthFigures, healthFigureNames } from '#contract/health-figures.ts'
import * as contract from '#contract/health.ts'
import * as incidents from '#contract/incidents.ts'
import { type Call, type Route, route } from '#server/http/route.ts'
import { canReadOperator } from '#server/stores/scope.ts'
import { findFeedStatuses } from './feed-statuses.ts'
import { findHealthRegion } from './health-region.ts'
import { acknowledgeIncident, commentIncident } from './incidents/update-incident.ts'
import { findIncident, listIncidents } from './incidents/find-incidents.ts'
import {
  endIncidentSubscription,
  listIncidentRecipients,
  listIncidentSubscriptions,
  setIncidentSubscription,
} from './incidents/subscriptions.ts'
import { type Health, readDataHealth } from './read-data-health.ts'
import { listHealthRows } from './rows/list-rows.ts'

type RowsCall = Call<typeof contract.listHealthRows> | Call<typeof contract.listHealthSpans>

const figureItems = healthFigureNames.map((figure) => ({ figure, ...healthFigures[figure] }))

/** Routes of data health, and of incidents with their subscriptions. */
export const healthRoutes = (health: Health): Route[] => {
  const { state, facts } = health
  // Both endpoints list the rows of a figure; they differ in the figures and in what viewers may see.
  const listRows = ({ viewer, params, query, at }: RowsCall) =>
    listHealthRows(health, {
      scope: viewer.scope,
      regionId: params.region_id,
      figure: params.figure,
      query,
      at: at.getTime(),
    })
  return [
    route(contract.getMdsStatus, async ({ viewer, params, at }) => {
      const items = await findFeedStatuses(
        state,
        facts,
        await findHealthRegion(state.as(viewer.scope), params.region_id),
        at.getTime(),
      )
      return {
        as_of: at.toISOString(),
        items: items.filter(({ operator }) => canReadOperator(viewer.scope, operator)),
      }
    }),
    route(contract.getDataHealth, ({ viewer, params, query, at }) =>
      readDataHealth(health, { scope: viewer.scope, regionId: params.region_id, query, at: at.getTime() }),
    ),
    route(contract.listHealthFigures, () => ({ items: figureItems })),
    route(contract.listHealthRows, listRows),
    route(contract.listHealthSpans, listRows),
    route(incidents.listIncidents, ({ viewer, params, query }) =>
      listIncidents(state, viewer.scope, params.region_id, query),
    ),
    route(incidents.getIncident, ({ viewer, params }) => findIncident(state, viewer.scope, params)),
    route(incidents.acknowledgeIncident, (call) => acknowledgeIncident(state, call)),
    route(incidents.commentIncident, (call) => commentIncident(state, call)),
    route(incidents.listIncidentSubscriptions, ({ viewer }) => listIncidentSubscriptions(state, viewer)),
    route(incidents.listIncidentRecipients, ({ viewer, params, query }) =>
      listIncidentRecipients(state, viewer, { regionId: params.region_id, operator: query.operator }),
    ),
    route(incidents.setIncidentSubscription, ({ viewer, body }) =>
      setIncidentSubscription(state, viewer, body),
    ),
    route(incidents.endIncidentSubscription, ({ body }) => endIncidentSubscription(state, body.token)),
  ]
}
