import * as managed from '#contract/managed-operators.ts'
import { getOperator, listOperators, listRegionOperators } from '#contract/operators.ts'
import { Problem } from '#server/http/problem.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { allOperators, listOperators as list } from './list-operators.ts'
import { changeOperator, createOperator, deleteOperator, listManagedOperators } from './manage-operators.ts'

export const operatorRoutes = (state: State, facts: Facts): Route[] => [
  route(listOperators, ({ viewer, query }) => list(state, facts, viewer.scope, query)),
  route(listRegionOperators, ({ viewer, params, query }) =>
    list(state, facts, viewer.scope, { ...params, ...query }),
  ),
  route(getOperator, async ({ viewer, params }) => {
    const { items } = await list(state, facts, viewer.scope, allOperators)
    const operator = items.find((item) => item.slug === params.slug)
    if (!operator) throw new Problem('not_found', `There is no operator '${params.slug}'.`)
    return operator
  }),
  route(managed.listManagedOperators, ({ viewer }) => listManagedOperators({ state, facts }, viewer)),
  route(managed.createOperator, ({ viewer, body }) => createOperator({ state, facts }, viewer, body)),
  route(managed.changeOperator, ({ viewer, params, body }) =>
    changeOperator({ state, facts }, viewer, params.slug, body),
  ),
  route(managed.deleteOperator, ({ viewer, params }) =>
    deleteOperator({ state, facts }, viewer, params.slug),
  ),
]
