import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import type { SpatialRequest, SpatialMode } from '#contract/spatial.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { createQueryClient } from '#web/data/query.ts'
import { MapStandIn } from '#web/map/map-view-props.ts'
import { forgetMaps, TestMapView } from '#web/map/test-map-view.tsx'
import { renderPart } from '#web/kit/test-part.tsx'
import { MeProvider } from '#web/shell/me.tsx'
import { pages } from '#web/shell/pages.ts'
import { RegionGate } from '#web/shell/region-gate.tsx'
import { RegionProvider } from '#web/shell/region.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { ModeScreen } from './mode-screen.tsx'
import { mapModes } from './modes/map-modes.ts'
import { mapResponses } from '#web/map-page/test-map.ts'

export const spatialPath = 'POST /v2/regions/port-meridian/spatial'

/** Renders a signed-in user's map without the frame, which would take most of the time. */
function SignedInMaps() {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <MeProvider>
        <RegionProvider>
          <RegionGate />
        </RegionProvider>
      </MeProvider>
    </QueryClientProvider>
  )
}

/** For tests: opens the screen of a map; returns its requests and URL. */
export async function openMap(
  mode: SpatialMode,
  search = '',
  responses: Record<string, (request: { body: unknown; query: URLSearchParams }) => unknown> = mapResponses(),
) {
  const { requests } = fakeServer({ ...signedIn(), ...responses })
  const root = createRootRoute({ component: SignedInMaps })
  const routes = Object.values(mapModes).map(({ key }) =>
    createRoute({
      getParentRoute: () => root,
      path: `/$regionId/${pages[key].path}`,
      component: () => <ModeScreen mode={key} />,
    }),
  )
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: [`/port-meridian/${pages[mode].path}${search}`] }),
  })
  forgetMaps()
  await renderPart(
    <MapStandIn value={TestMapView}>
      <RouterProvider router={router} />
    </MapStandIn>,
  )
  const questions = () =>
    requests
      .filter(({ method, path }) => `${method} ${path}` === spatialPath)
      .map(({ body }) => body as SpatialRequest)
  return {
    router,
    requests,
    questions,
    search: () => router.state.location.search as Record<string, unknown>,
  }
}

/** For tests: finds the legend of the map. */
export const findLegend = () => screen.findByRole('region', { name: 'Legend' })
/** For tests: returns the cells of the row with this name. */
export const getCells = (row: string) =>
  within(screen.getByRole('row', { name: new RegExp(row) }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent)
