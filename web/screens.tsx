import { lazy, type ComponentType } from 'react'
import { loadRoomTexts } from '#web/i18n/start-i18n.ts'
import { pages, type PageKey } from '#web/shell/pages.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import type { ShellSlots } from '#web/shell/shell-slots.ts'

const NotBuilt = lazy(async () => ({ default: (await import('#web/shell/not-built.tsx')).NotBuilt }))
const PolicyNotBuilt = lazy(async () => ({ default: (await import('#web/shell/policy-not-built.tsx')).PolicyNotBuilt }))
const PublicNotBuilt = lazy(async () => ({ default: (await Promise.all([import('#web/shell/public-not-built.tsx'), loadRoomTexts()]))[0].PublicNotBuilt }))
const RegionRoot = lazy(async () => ({ default: (await import('#web/shell/region-root.tsx')).RegionRoot }))
const CurbIndex = lazy(async () => ({ default: (await import('#web/shell/curb-index.tsx')).CurbIndex }))
const GeographiesScreen = lazy(async () => ({ default: (await import('#web/geography/geographies-screen.tsx')).GeographiesScreen }))

/** A page of a region: its path and its rules stand in web/shell/pages.ts. */
const page = (key: PageKey, Screen: ComponentType): ScreenEntry => ({ path: `/$regionId/${pages[key].path}`, title: `shell:pages.${key}`, permission: 'signed_in', page: key, Screen })
/** One without content yet, with the page that serves until then. */
const notBuilt = (key: PageKey, meanwhile?: PageKey): ScreenEntry => page(key, () => <NotBuilt page={key} {...(meanwhile ? { meanwhile } : {})} />)
const policyNotBuilt = (key: 'policy' | 'policyEdit' | 'complianceDetail'): ScreenEntry => page(key, () => <PolicyNotBuilt page={key} />)
const publicNotBuilt = (path: string, key: 'publicPolicies' | 'publicRoutes' | 'publicRegulations'): ScreenEntry => ({
  path: `/$regionId/public/${path}`, title: `shell:pages.${key}`, permission: 'public', Screen: () => <PublicNotBuilt page={key} />,
})
const index = (path: string, Screen: ComponentType): ScreenEntry => ({ path: `/$regionId${path}`, title: 'shell:pages.home', permission: 'signed_in', Screen })

/** Every screen. A new one is one line here. */
export const screens: readonly ScreenEntry[] = [
  { path: '/login', title: 'shell:pages.login', permission: 'public', Screen: lazy(async () => ({ default: (await import('#web/identity/login-screen.tsx')).LoginScreen })) },
  { path: '/login/new-password', title: 'shell:pages.newPassword', permission: 'public', Screen: lazy(async () => ({ default: (await import('#web/identity/new-password-screen.tsx')).NewPasswordScreen })) },
  { path: '/terms', title: 'shell:pages.terms', permission: 'public', Screen: lazy(async () => ({ default: (await Promise.all([import('#web/identity/terms-screen.tsx'), loadRoomTexts()]))[0].TermsScreen })) },
  { path: '/logout', title: 'shell:pages.logout', permission: 'public', Screen: lazy(async () => ({ default: (await import('#web/identity/logout-screen.tsx')).LogoutScreen })) },
  { path: '/oidc/login', title: 'shell:pages.login', permission: 'public', Screen: lazy(async () => ({ default: (await import('#web/identity/oidc-login-screen.tsx')).OidcLoginScreen })) },
  { path: '/oidc/entered', title: 'shell:pages.login', permission: 'public', Screen: lazy(async () => ({ default: (await import('#web/identity/oidc-entered-screen.tsx')).OidcEnteredScreen })) },
  { path: '/oauth2/login/close', title: 'shell:pages.login', permission: 'public', Screen: lazy(async () => ({ default: (await import('#web/identity/close-popup-screen.tsx')).ClosePopupScreen })) },
  { path: '/dev/gallery', title: 'shell:pages.gallery', permission: 'public', Screen: lazy(async () => ({ default: (await Promise.all([import('#web/kit/gallery/gallery-screen.tsx'), loadRoomTexts()]))[0].GalleryScreen })) },
  { path: '/', title: 'shell:pages.home', permission: 'signed_in', Screen: lazy(async () => ({ default: (await import('#web/shell/home-screen.tsx')).HomeScreen })) },
  { path: '/onboarding/$uuid', title: 'shell:pages.onboarding', permission: 'public', Screen: lazy(async () => ({ default: (await import('#web/users/onboarding-screen.tsx')).OnboardingScreen })) },
  { path: '/impersonate', title: 'shell:pages.impersonate', permission: 'is_admin', Screen: lazy(async () => ({ default: (await import('#web/users/impersonate-screen.tsx')).ImpersonateScreen })) },
  { path: '/admin', title: 'shell:pages.organization', permission: 'is_admin', Screen: lazy(async () => ({ default: (await import('#web/shell/admin-index.tsx')).AdminIndex })) },
  { path: '/admin/organization', title: 'shell:pages.organization', permission: 'is_admin', Screen: lazy(async () => ({ default: (await import('#web/regions/organization-screen.tsx')).OrganizationScreen })) },
  { path: '/admin/regions', title: 'shell:pages.regions', permission: 'is_admin', Screen: lazy(async () => ({ default: (await import('#web/regions/regions-screen.tsx')).RegionsScreen })) },
  { path: '/admin/users', title: 'shell:pages.users', permission: 'is_admin', Screen: lazy(async () => ({ default: (await import('#web/users/users-screen.tsx')).UsersScreen })) },
  { path: '/admin/roles', title: 'shell:pages.roles', permission: 'is_admin', Screen: lazy(async () => ({ default: (await import('#web/users/roles-screen.tsx')).RolesScreen })) },
  { path: '/admin/sign-in', title: 'shell:pages.signInProviders', permission: 'is_admin', Screen: lazy(async () => ({ default: (await import('#web/users/sign-in-providers-screen.tsx')).SignInProvidersScreen })) },
  { path: '/admin/audit', title: 'shell:pages.audit', permission: 'is_admin', Screen: lazy(async () => ({ default: (await import('#web/users/audit-screen.tsx')).AuditScreen })) },

  index('', RegionRoot),
  { path: '/$regionId/404', title: 'shell:notFound.page', permission: 'signed_in', Screen: lazy(async () => ({ default: (await import('#web/shell/not-found.tsx')).NotFound })) },

  index('/mobility', RegionRoot),
  index('/mobility/$', RegionRoot),
  index('/mobility/maps', RegionRoot),
  index('/mobility/maps/$', RegionRoot),
  notBuilt('activitySummary', 'trips'),
  notBuilt('live', 'trips'),
  notBuilt('issues', 'trips'),
  notBuilt('distribution', 'trips'),
  notBuilt('dropOffs', 'trips'),
  notBuilt('parking', 'trips'),
  notBuilt('routes', 'trips'),
  page('trips', lazy(async () => ({ default: (await import('#web/evaluation/trips-screen.tsx')).TripsScreen }))),
  notBuilt('tripCounts', 'trips'),
  notBuilt('mobilityMetrics', 'trips'),
  notBuilt('export', 'trips'),
  notBuilt('tripDistance', 'trips'),
  notBuilt('tripDuration', 'trips'),
  notBuilt('timeOfDay', 'trips'),
  notBuilt('tripDistanceByTech', 'trips'),
  notBuilt('tripSpeedByTech', 'trips'),
  notBuilt('parkingTime', 'trips'),
  notBuilt('parkingTimeByDistrict', 'trips'),
  notBuilt('policies', 'geographies'),
  notBuilt('policyCreate', 'geographies'),
  notBuilt('policyDuplicate', 'geographies'),
  policyNotBuilt('policy'),
  policyNotBuilt('policyEdit'),
  notBuilt('compliance'),
  policyNotBuilt('complianceDetail'),
  notBuilt('invoicing'),
  page('geographies', GeographiesScreen),
  notBuilt('dataHealth', 'tripFiles'),
  page('tripFiles', lazy(async () => ({ default: (await import('#web/ingest/trip-files-screen.tsx')).TripFilesScreen }))),
  notBuilt('mobileLive', 'trips'),

  index('/curb', CurbIndex),
  index('/curb/regulations', CurbIndex),
  index('/curb/management', CurbIndex),
  index('/curb/parking-insights', CurbIndex),
  index('/curb/revenue', CurbIndex),
  notBuilt('curbMetrics', 'curbGeographies'),
  notBuilt('curbActivity', 'curbGeographies'),
  notBuilt('parkingRevenue', 'curbGeographies'),
  notBuilt('transactions', 'curbGeographies'),
  notBuilt('pricingEngine', 'curbGeographies'),
  notBuilt('occupancy', 'curbGeographies'),
  notBuilt('regulationsLibrary', 'curbGeographies'),
  notBuilt('regulationsMap', 'curbGeographies'),
  notBuilt('feesAndRevenue', 'curbGeographies'),
  page('curbGeographies', GeographiesScreen),

  publicNotBuilt('policies', 'publicPolicies'),
  publicNotBuilt('routes', 'publicRoutes'),
  publicNotBuilt('regulations', 'publicRegulations'),
]

/** Paths of a region that have another name. */
export const redirects: Readonly<Record<string, string>> = {
  '/mobility/mds-data-health': '/$regionId/mobility/data-health',
}

/** What rooms put into the frame. */
export const slots: ShellSlots = {
  ProfileDialog: lazy(async () => ({ default: (await import('#web/identity/profile/profile-dialog.tsx')).ProfileDialog })),
  Gate: lazy(async () => ({ default: (await import('#web/identity/identity-gate.tsx')).IdentityGate })),
}
