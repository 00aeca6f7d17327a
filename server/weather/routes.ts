import * as contract from '#contract/weather.ts'
import { weatherUnits } from '#contract/weather.ts'
import { type Route, route } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { findWeather, listWeather } from './list-weather.ts'

export const weatherRoutes = (state: State): Route[] => [
  route(contract.listWeather, async ({ viewer, params, query }) => ({
    units: weatherUnits,
    items: await listWeather(state, viewer.scope, params.region_id, query),
  })),
  route(contract.getWeather, async ({ viewer, params }) => ({
    units: weatherUnits,
    ...(await findWeather(state, viewer.scope, params.region_id, params.day)),
  })),
]
