import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type AnyRoute,
  type RouterHistory,
} from '@tanstack/react-router'
import { Suspense } from 'react'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { loadRoomTexts } from '#web/i18n/start-i18n.ts'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { ScreenSkeleton } from './screen-skeleton.tsx'
import type { ScreenEntry } from './screen-entry.ts'
import { rememberedUser } from './browser-storage.ts'
import { useTitle } from './title.ts'

/** Wraps screens that require no sign-in. */
function PublicScreen({ entry }: { entry: ScreenEntry }) {
  const { t } = useTranslation()
  useTitle(t(entry.title))
  return (
    <Suspense fallback={<FullLoading />}>
      <entry.Screen />
    </Suspense>
  )
}

/** Shown instead of a screen that threw an error. */
function ScreenError() {
  const { t } = useTranslation()
  return (
    <ReadingPage>
      <div role="alert">
        <p>{t('shell:crashed.title')}</p>
        <Button onClick={() => location.reload()}>{t('shell:crashed.reload')}</Button>
      </div>
    </ReadingPage>
  )
}

// The frame is loaded separately, so that the sign-in page does not wait for it.
const Shell = lazyRouteComponent(
  async () => (await Promise.all([import('./shell.tsx'), loadRoomTexts()]))[0],
  'Shell',
)
const RegionGate = lazyRouteComponent(() => import('./region-gate.tsx'), 'RegionGate')
const ScreenFrame = lazyRouteComponent(() => import('./screen-frame.tsx'), 'ScreenFrame')
const LostScreen = lazyRouteComponent(
  async () => (await Promise.all([import('./not-found.tsx'), loadRoomTexts()]))[0],
  'Lost',
)

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    prefetch?: ScreenEntry['prefetch'] | undefined
  }
}

const regionPath = '/$regionId'

/**
 * Returns a function that loads the code of a screen and its frame as soon as the URL is known, unless the visitor
 * must sign in first. A loaded screen is shown at once, whereas React delays the content of a fallback by up to
 * 0.3 s. Errors are shown where the code is used.
 */
const preloadScreen =
  ({ Screen }: ScreenEntry) =>
  () => {
    if (rememberedUser()) void Promise.all([Screen.preload?.(), ScreenFrame.preload?.()])
  }

const renderFramedScreen = (entry: ScreenEntry) => () => (
  <Suspense fallback={<ScreenSkeleton />}>
    <ScreenFrame entry={entry} />
  </Suspense>
)

/** Creates the router: public screens outside of the frame, others inside, regional ones in RegionGate. */
export function createAppRouter(
  screens: readonly ScreenEntry[],
  redirects: Readonly<Record<string, string>>,
  history?: RouterHistory,
) {
  const root = createRootRoute({
    component: Outlet,
    errorComponent: ScreenError,
    notFoundComponent: LostScreen,
  })
  const shell = createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    component: Shell,
    pendingComponent: FullLoading,
  })
  const gate = createRoute({ getParentRoute: () => shell, path: regionPath, component: RegionGate })
  const publicRoutes: AnyRoute[] = []
  const framedRoutes: AnyRoute[] = []
  const regionRoutes: AnyRoute[] = []
  for (const entry of screens) {
    if (entry.permission === 'public') {
      publicRoutes.push(
        createRoute({
          getParentRoute: () => root,
          path: entry.path,
          beforeLoad: () => entry.Screen.preload?.(),
          component: () => <PublicScreen entry={entry} />,
        }),
      )
    } else if (entry.path.startsWith(regionPath)) {
      regionRoutes.push(
        createRoute({
          getParentRoute: () => gate,
          path: entry.path.slice(regionPath.length) || '/',
          staticData: { prefetch: entry.prefetch },
          beforeLoad: preloadScreen(entry),
          component: renderFramedScreen(entry),
        }),
      )
    } else {
      framedRoutes.push(
        createRoute({
          getParentRoute: () => shell,
          path: entry.path,
          beforeLoad: preloadScreen(entry),
          component: renderFramedScreen(entry),
        }),
      )
    }
  }
  for (const [from, to] of Object.entries(redirects)) {
    regionRoutes.push(
      createRoute({
        getParentRoute: () => gate,
        path: from,
        beforeLoad: ({ params }) => {
          throw redirect({ to, params, replace: true })
        },
      }),
    )
  }
  return createRouter({
    routeTree: root.addChildren([
      ...publicRoutes,
      shell.addChildren([...framedRoutes, gate.addChildren(regionRoutes)]),
    ]),
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultPendingComponent: ScreenSkeleton,
    defaultPendingMs: 0,
    // The default of 500 ms would show every screen half a second late.
    defaultPendingMinMs: 0,
    // Errors are caught per screen, so that the frame around it remains.
    defaultErrorComponent: ScreenError,
    ...(history ? { history } : {}),
  })
}
