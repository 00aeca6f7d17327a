import { type HealthFigureName, healthFigures, healthFigureNames } from '#contract/health-figures.ts'
import * as contract from '#contract/health.ts'
import * as incidents from '#contract/incidents.ts'
import { type Route, route } from '#server/http/route.ts'
import { canReadOperator } from '#server/stores/scope.ts'
import { findFeedStatuses } from './feed-statuses.ts'
import { findHealthRegion } from './health-region.ts'
import { acknowledgeIncident, commentIncident } from './incidents/update-incident.ts'
import { findIncident, findIncidents } from './incidents/find-incidents.ts'
import {
  endSubscription,
  findRecipients,
  findSubscriptions,
  setSubscription,
} from './incidents/subscriptions.ts'
import { type Health, readDataHealth } from './read-data-health.ts'
import { listRows } from './rows/list-rows.ts'

const figureItems = healthFigureNames.map((figure: HealthFigureName) => ({
  figure,
  ...healthFigures[figure],
}))

export const healthRoutes = (health: Health): Route[] => {
  const { state, facts } = health
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
      readDataHealth(health, { viewer: viewer.scope, regionId: params.region_id, query, at: at.getTime() }),
    ),
    route(contract.listHealthFigures, () => ({ items: figureItems })),
    route(contract.listHealthRows, ({ viewer, params, query, at }) =>
      listRows(health, {
        viewer: viewer.scope,
        regionId: params.region_id,
        figure: params.figure,
        query,
        at: at.getTime(),
      }),
    ),
    route(contract.listHealthSpans, ({ viewer, params, query, at }) =>
      listRows(health, {
        viewer: viewer.scope,
        regionId: params.region_id,
        figure: params.figure,
        query,
        at: at.getTime(),
      }),
    ),
    route(incidents.listIncidents, ({ viewer, params, query }) =>
      findIncidents(state, viewer.scope, params.region_id, query),
    ),
    route(incidents.getIncident, ({ viewer, params }) => findIncident(state, viewer.scope, params)),
    route(incidents.acknowledgeIncident, (call) => acknowledgeIncident(state, call)),
    route(incidents.commentIncident, (call) => commentIncident(state, call)),
    route(incidents.listIncidentSubscriptions, ({ viewer }) => findSubscriptions(state, viewer)),
    route(incidents.listIncidentRecipients, ({ viewer, params, query }) =>
      findRecipients(state, viewer, { regionId: params.region_id, operator: query.operator }),
    ),
    route(incidents.setIncidentSubscription, ({ viewer, body }) => setSubscription(state, viewer, body)),
    route(incidents.endIncidentSubscription, ({ body }) => endSubscription(state, body.token)),
  ]
}
