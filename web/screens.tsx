import { lazy } from 'react'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'

const NotBuilt = lazy(async () => ({ default: (await import('#web/shell/not-built.tsx')).NotBuilt }))
const notBuilt = (page: string, path: string): ScreenEntry => ({ path: `/$regionId/${path}`, title: `shell:pages.${page}`, permission: 'signed_in', Screen: () => <NotBuilt page={page} /> })

/** Every screen. A new one is one line here. */
export const screens: readonly ScreenEntry[] = [
  { path: '/login', title: 'shell:pages.login', permission: 'public', Screen: lazy(async () => ({ default: (await import('#web/identity/login-screen.tsx')).LoginScreen })) },
  { path: '/logout', title: 'shell:pages.logout', permission: 'public', Screen: lazy(async () => ({ default: (await import('#web/identity/logout-screen.tsx')).LogoutScreen })) },
  { path: '/', title: 'shell:pages.home', permission: 'signed_in', Screen: lazy(async () => ({ default: (await import('#web/shell/home-screen.tsx')).HomeScreen })) },
  { path: '/admin/regions', title: 'shell:pages.regions', permission: 'is_admin', Screen: lazy(async () => ({ default: (await import('#web/regions/regions-screen.tsx')).RegionsScreen })) },

  { path: '/$regionId/mobility/maps/trips', title: 'shell:pages.trips', permission: 'signed_in', Screen: lazy(async () => ({ default: (await import('#web/evaluation/trips-screen.tsx')).TripsScreen })) },
  { path: '/$regionId/mobility/geographies', title: 'shell:pages.geographies', permission: 'signed_in', Screen: lazy(async () => ({ default: (await import('#web/geography/geographies-screen.tsx')).GeographiesScreen })) },
  { path: '/$regionId/mobility/trip-files', title: 'shell:pages.tripFiles', permission: 'is_admin', Screen: lazy(async () => ({ default: (await import('#web/ingest/trip-files-screen.tsx')).TripFilesScreen })) },

  notBuilt('live', 'mobility/maps/live'),
  notBuilt('issues', 'mobility/maps/311'),
  notBuilt('distribution', 'mobility/maps/distribution'),
  notBuilt('dropOffs', 'mobility/maps/operator-drop-offs'),
  notBuilt('parking', 'mobility/maps/parking'),
  notBuilt('routes', 'mobility/maps/routes'),
  notBuilt('reporting', 'mobility/reporting/trip-counts'),
  notBuilt('policies', 'mobility/policies'),
  notBuilt('invoicing', 'mobility/invoicing'),
  notBuilt('dataHealth', 'mobility/data-health'),
  notBuilt('curb', 'curb'),
  notBuilt('curb', 'curb/$'),
]

/** Paths of a region that lead on; the trips map is its default page. */
export const redirects: Readonly<Record<string, string>> = {
  '/': '/$regionId/mobility/maps/trips',
  '/mobility': '/$regionId/mobility/maps/trips',
  '/mobility/$': '/$regionId/mobility/maps/trips',
}
