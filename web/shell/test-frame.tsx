import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { MapStandIn } from '#web/map/map-view-props.ts'
import { forgetMaps, TestMapView } from '#web/map/test-map-view.tsx'
import { renderPart } from '#web/kit/test-part.tsx'
import { afterAll, beforeAll } from 'vitest'
import { createAppRouter } from './app-router.tsx'
import { type Page, pageKeys, pages } from './pages.ts'
import { type ScreenEntry, type ShellSlots, ShellSlotsContext } from './screen-entry.ts'

/** For tests of menus: all pages of a file's tests are in them, as if each was built. */
export function withAllPagesBuilt(): void {
  const notBuilt = pageKeys.map((key): Page => pages[key]).filter(({ isBuilt }) => isBuilt === false)
  beforeAll(() => notBuilt.forEach((page) => delete page.isBuilt))
  afterAll(() => notBuilt.forEach((page) => void (page.isBuilt = false)))
}

/** For tests: renders the app with these screens at a URL; its maps are recorded in `shownMaps`. */
export async function renderApp(
  screens: readonly ScreenEntry[],
  address: string,
  redirects: Readonly<Record<string, string>> = {},
  slots: ShellSlots = {},
) {
  forgetMaps()
  const router = createAppRouter(screens, redirects, createMemoryHistory({ initialEntries: [address] }))
  await renderPart(
    <MapStandIn value={TestMapView}>
      <ShellSlotsContext value={slots}>
        <RouterProvider router={router} />
      </ShellSlotsContext>
    </MapStandIn>,
  )
  return router
}
