import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ChartEngine } from '#web/charts/chart-drawing.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { MapStandIn } from '#web/map/map-view-props.ts'
import { forgetMaps, TestMapView } from '#web/map/test-map-view.tsx'
import { renderPart } from '#web/kit/test-part.tsx'
import { createAppRouter } from './app-router.tsx'
import { type PageKey, pageTitle } from './pages.ts'
import { type ScreenEntry, type ShellSlots, ShellSlotsContext } from './screen-entry.ts'
import { SlideChanger } from './slide-changer.tsx'

/** A chart engine that draws nothing, because jsdom has no canvas. */
const blankCharts = () =>
  Promise.resolve({
    drawChart: () => ({
      show: () => {},
      point: () => {},
      canvas: () => document.createElement('canvas'),
      remove: () => {},
    }),
  })

/** For tests: renders the app with these screens at a URL. Maps are recorded in `shownMaps`. */
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
      <ChartEngine value={blankCharts}>
        <ShellSlotsContext value={slots}>
          <RouterProvider router={router} />
        </ShellSlotsContext>
      </ChartEngine>
    </MapStandIn>,
  )
  return router
}

/** For tests: returns an entry for a screen at a path. */
export const makeScreenEntry = (
  path: string,
  title: string,
  Screen: ScreenEntry['Screen'],
  permission: ScreenEntry['permission'] = 'signed_in',
): ScreenEntry => ({ path, title, permission, Screen })

/** For tests of the frame: a page with a title and a slide changer. */
export function TestPage({ page }: { page: PageKey }) {
  const { t } = useTranslation()
  return <PageHeader title={t(pageTitle(page))} actions={<SlideChanger page={page} />} />
}
