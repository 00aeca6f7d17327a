import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import { useState } from 'react'
import type { PermissionKey } from '#contract/permission.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { createQueryClient } from '#web/data/query.ts'
import { MapStandIn } from '#web/map/map-view-props.ts'
import { forgetMaps, TestMapView } from '#web/map/test-map-view.tsx'
import { renderPart } from '#web/kit/test-part.tsx'
import { MeProvider } from '#web/shell/me.tsx'
import { RegionGate } from '#web/shell/region-gate.tsx'
import { RegionProvider } from '#web/shell/region.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { IssuesScreen } from './issues-screen.tsx'
import { issueResponses } from './test-issues.ts'

function Signed() {
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

/** For tests: opens the 311 map at a URL; returns its requests and URL. */
export async function openIssues(
  search = '',
  responses: ReturnType<typeof issueResponses> = issueResponses(),
  keys?: readonly PermissionKey[],
) {
  const server = fakeServer({ ...signedIn(keys), ...responses })
  const root = createRootRoute({ component: Signed })
  const route = createRoute({
    getParentRoute: () => root,
    path: '/$regionId/mobility/maps/311',
    component: IssuesScreen,
  })
  const router = createRouter({
    routeTree: root.addChildren([route]),
    history: createMemoryHistory({ initialEntries: [`/port-meridian/mobility/maps/311${search}`] }),
  })
  forgetMaps()
  await renderPart(
    <MapStandIn value={TestMapView}>
      <RouterProvider router={router} />
    </MapStandIn>,
  )
  const requests = (end: string) =>
    server.requests
      .filter(({ path }) => path === `/v2/regions/port-meridian/issues${end}`)
      .map(({ query }) => Object.fromEntries(query))
  return { requests, search: () => router.state.location.search as Record<string, unknown> }
}

export const findLegend = () => screen.findByRole('region', { name: 'Legend' })
