import { lazyRouteComponent } from '@tanstack/react-router'
import { spatialModes } from '#contract/map-names.ts'
import type { SpatialMode } from '#contract/spatial.ts'
import { curbScreens } from '#web/curb/curb-screens.tsx'
import { loadRoomTexts } from '#web/i18n/start-i18n.ts'
import type { Dashboard } from '#web/reporting/dashboard.tsx'
import type { ReportContext, ReportSearch } from '#web/reporting/report-search.ts'
import { pages, type ReportKey, reportKeys } from '#web/shell/pages.ts'
import { indexScreen, pageScreen, type ScreenEntry, type ShellSlots } from '#web/shell/screen-entry.ts'

const RegionRoot = lazyRouteComponent(() => import('#web/shell/index-screens.tsx'), 'RegionRoot')

const prefetchHome: ScreenEntry['prefetch'] = async (...args) =>
  (await import('#web/reporting/home-questions.ts')).prefetchHome(...args)
const prefetchLive: ScreenEntry['prefetch'] = async (...args) =>
  (await import('#web/live/prefetch-live.ts')).prefetchLive(...args)
/** Returns the screen of a map that shows values by shape. */
const modeScreen = (mode: SpatialMode): ScreenEntry =>
  pageScreen(
    mode,
    async () => {
      const { ModeScreen } = await import('#web/evaluation/mode-screen.tsx')
      return { default: () => <ModeScreen mode={mode} /> }
    },
    'default',
  )
/** The exports of a file that declares a report page. */
interface ReportFile {
  dashboard: (context: ReportContext, page: ReportKey) => Dashboard<ReportSearch, unknown>
}
const reportFiles = import.meta.glob<ReportFile>('./reporting/**/*-report.tsx')
const reportScreens = (key: ReportKey): ScreenEntry[] =>
  Object.entries(reportFiles)
    .filter(([path]) => path.endsWith(`/${pages[key].report}-report.tsx`))
    .map(([, load]) =>
      pageScreen(
        key,
        async () => {
          const [{ ReportScreen }, { dashboard }] = await Promise.all([
            import('#web/reporting/report-screen.tsx'),
            load(),
          ])
          const declare = (context: ReportContext) => dashboard(context, key)
          return { default: () => <ReportScreen dashboard={declare} /> }
        },
        'default',
      ),
    )
/** A screen that needs no sign-in. It loads the rooms' texts itself, which are otherwise loaded after sign-in. */
const publicScreen = <K extends string>(
  path: string,
  title: string,
  load: () => Promise<Readonly<Record<K, ScreenEntry['Screen']>>>,
  name: K,
): ScreenEntry => ({
  path,
  title,
  permission: 'public',
  Screen: lazyRouteComponent(async () => ({
    default: (await Promise.all([load(), loadRoomTexts()]))[0][name],
  })),
})

/** All screens; a new one must be added here. */
export const screens: readonly ScreenEntry[] = [
  {
    path: '/login',
    title: 'shell:pages.login',
    permission: 'public',
    Screen: lazyRouteComponent(() => import('#web/identity/login-screen.tsx'), 'LoginScreen'),
  },
  {
    path: '/login/new-password',
    title: 'shell:pages.newPassword',
    permission: 'public',
    Screen: lazyRouteComponent(() => import('#web/identity/new-password-screen.tsx'), 'NewPasswordScreen'),
  },
  publicScreen('/terms', 'shell:pages.terms', () => import('#web/identity/terms-screen.tsx'), 'TermsScreen'),
  {
    path: '/logout',
    title: 'shell:pages.logout',
    permission: 'public',
    Screen: lazyRouteComponent(() => import('#web/identity/logout-screen.tsx'), 'LogoutScreen'),
  },
  {
    path: '/oidc/login',
    title: 'shell:pages.login',
    permission: 'public',
    Screen: lazyRouteComponent(() => import('#web/identity/oidc-login-screen.tsx'), 'OidcLoginScreen'),
  },
  {
    path: '/oidc/entered',
    title: 'shell:pages.login',
    permission: 'public',
    Screen: lazyRouteComponent(() => import('#web/identity/oidc-entered-screen.tsx'), 'OidcEnteredScreen'),
  },
  {
    path: '/oauth2/login/close',
    title: 'shell:pages.login',
    permission: 'public',
    Screen: lazyRouteComponent(() => import('#web/identity/close-popup-screen.tsx'), 'ClosePopupScreen'),
  },
  publicScreen(
    '/dev/gallery',
    'shell:pages.gallery',
    () => import('#web/kit/gallery/gallery-screen.tsx'),
    'GalleryScreen',
  ),
  publicScreen(
    '/dev/gallery/charts',
    'shell:pages.gallery',
    () => import('#web/reporting/gallery/charts-gallery-screen.tsx'),
    'ChartsGalleryScreen',
  ),
  publicScreen(
    '/dev/gallery/map',
    'shell:pages.gallery',
    () => import('#web/curb/gallery/curb-map-screen.tsx'),
    'CurbMapScreen',
  ),
  {
    path: '/',
    title: 'shell:pages.home',
    permission: 'signed_in',
    Screen: lazyRouteComponent(() => import('#web/shell/home-screen.tsx'), 'HomeScreen'),
  },
  ...['/help', '/help/$topic'].map((path): ScreenEntry => ({
    path,
    title: 'shell:guide.title',
    permission: 'signed_in',
    Screen: lazyRouteComponent(() => import('#web/shell/guide/guide-screen.tsx'), 'GuideScreen'),
  })),
  {
    path: '/onboarding/$uuid',
    title: 'shell:pages.onboarding',
    permission: 'public',
    Screen: lazyRouteComponent(() => import('#web/users/onboarding-screen.tsx'), 'OnboardingScreen'),
  },
  publicScreen(
    '/unsubscribe/$token',
    'health:unsubscribe.page',
    () => import('#web/health/unsubscribe-screen.tsx'),
    'UnsubscribeScreen',
  ),
  publicScreen(
    '/unsubscribe/violations/$token',
    'compliance:alerts.unsubscribe.page',
    () => import('#web/compliance/alerts/end-alerts-screen.tsx'),
    'EndAlertsScreen',
  ),
  publicScreen(
    '/unsubscribe/reports/$token',
    'reporting:schedules.unsubscribe.page',
    () => import('#web/reporting/schedules/end-report-screen.tsx'),
    'EndReportScreen',
  ),
  {
    path: '/impersonate',
    title: 'shell:pages.impersonate',
    permission: 'is_admin',
    Screen: lazyRouteComponent(() => import('#web/users/impersonate-screen.tsx'), 'ImpersonateScreen'),
  },
  {
    path: '/admin',
    title: 'shell:pages.organization',
    permission: 'is_admin',
    Screen: lazyRouteComponent(() => import('#web/shell/index-screens.tsx'), 'AdminIndex'),
  },
  {
    path: '/admin/organization',
    title: 'shell:pages.organization',
    permission: 'is_admin',
    Screen: lazyRouteComponent(() => import('#web/regions/organization-screen.tsx'), 'OrganizationScreen'),
  },
  {
    path: '/admin/regions',
    title: 'shell:pages.regions',
    permission: 'is_admin',
    Screen: lazyRouteComponent(() => import('#web/regions/regions-screen.tsx'), 'RegionsScreen'),
  },
  {
    path: '/admin/regions/$regionId/requirements',
    title: 'policies:requirements.page',
    permission: 'is_admin',
    Screen: lazyRouteComponent(
      () => import('#web/policies/requirements/requirements-screen.tsx'),
      'RequirementsScreen',
    ),
  },
  {
    path: '/admin/operators',
    title: 'shell:pages.operators',
    permission: 'is_admin',
    Screen: lazyRouteComponent(() => import('#web/feeds/operators-screen.tsx'), 'OperatorsScreen'),
  },
  {
    path: '/admin/users',
    title: 'shell:pages.users',
    permission: 'is_admin',
    Screen: lazyRouteComponent(() => import('#web/users/users-screen.tsx'), 'UsersScreen'),
  },
  {
    path: '/admin/roles',
    title: 'shell:pages.roles',
    permission: 'is_admin',
    Screen: lazyRouteComponent(() => import('#web/users/roles-screen.tsx'), 'RolesScreen'),
  },
  {
    path: '/admin/sign-in',
    title: 'shell:pages.signInProviders',
    permission: 'is_admin',
    Screen: lazyRouteComponent(
      () => import('#web/users/sign-in-providers-screen.tsx'),
      'SignInProvidersScreen',
    ),
  },
  {
    path: '/admin/api-keys',
    title: 'shell:pages.apiKeys',
    permission: 'is_admin',
    Screen: lazyRouteComponent(() => import('#web/api-keys/api-keys-screen.tsx'), 'ApiKeysScreen'),
  },
  {
    path: '/admin/try-api',
    title: 'shell:pages.tryApi',
    permission: 'is_admin',
    Screen: lazyRouteComponent(() => import('#web/api-keys/try-screen.tsx'), 'TryScreen'),
  },
  {
    path: '/admin/webhooks',
    title: 'shell:pages.webhooks',
    permission: 'is_admin',
    Screen: lazyRouteComponent(() => import('#web/notifications/webhooks-screen.tsx'), 'WebhooksScreen'),
  },
  {
    path: '/admin/audit',
    title: 'shell:pages.audit',
    permission: 'is_admin',
    Screen: lazyRouteComponent(() => import('#web/users/audit-screen.tsx'), 'AuditScreen'),
  },
  {
    path: '/admin/retention',
    title: 'shell:pages.retention',
    permission: 'is_admin',
    Screen: lazyRouteComponent(() => import('#web/regions/retention-screen.tsx'), 'RetentionScreen'),
  },
  {
    path: '/admin/work',
    title: 'shell:pages.work',
    permission: 'is_admin',
    Screen: lazyRouteComponent(
      () => import('#web/derived/background-work-screen.tsx'),
      'BackgroundWorkScreen',
    ),
  },

  indexScreen('', RegionRoot),
  {
    path: '/$regionId/404',
    title: 'shell:notFound.page',
    permission: 'signed_in',
    Screen: lazyRouteComponent(() => import('#web/shell/not-found.tsx'), 'NotFound'),
  },

  indexScreen('/mobility', RegionRoot),
  indexScreen('/mobility/$', RegionRoot),
  indexScreen('/mobility/maps', RegionRoot),
  indexScreen('/mobility/maps/$', RegionRoot),
  pageScreen(
    'activitySummary',
    () => import('#web/reporting/activity-summary-screen.tsx'),
    'ActivitySummaryScreen',
    prefetchHome,
  ),
  pageScreen('live', () => import('#web/live/live-map-screen.tsx'), 'LiveMapScreen', prefetchLive),
  pageScreen('issues', () => import('#web/issues/issues-screen.tsx'), 'IssuesScreen'),
  ...spatialModes.map(modeScreen),
  pageScreen('routes', () => import('#web/routes/routes-screen.tsx'), 'RoutesScreen'),
  ...reportKeys.flatMap(reportScreens),
  pageScreen('export', () => import('#web/reporting/exports/export-screen.tsx'), 'ExportScreen'),
  pageScreen('policies', () => import('#web/policies/policies-screen.tsx'), 'PoliciesScreen'),
  pageScreen('policyCreate', () => import('#web/policies/policy-create-screen.tsx'), 'PolicyCreateScreen'),
  pageScreen(
    'policyDuplicate',
    () => import('#web/policies/policy-duplicate-screen.tsx'),
    'PolicyDuplicateScreen',
  ),
  pageScreen('policy', () => import('#web/policies/policy-screen.tsx'), 'PolicyScreen'),
  pageScreen('policyEdit', () => import('#web/policies/policy-edit-screen.tsx'), 'PolicyEditScreen'),
  pageScreen('compliance', () => import('#web/compliance/compliance-screen.tsx'), 'ComplianceScreen'),
  pageScreen(
    'complianceDetail',
    () => import('#web/compliance/detail/compliance-detail-screen.tsx'),
    'ComplianceDetailScreen',
  ),
  pageScreen('invoicing', () => import('#web/billing/invoicing-screen.tsx'), 'InvoicingScreen'),
  pageScreen('invoice', () => import('#web/billing/invoice/invoice-screen.tsx'), 'InvoiceScreen'),
  pageScreen('geographies', () => import('#web/geography/geographies-screen.tsx'), 'GeographiesScreen'),
  pageScreen('dataHealth', () => import('#web/health/data-health-screen.tsx'), 'DataHealthScreen'),
  pageScreen('tripFiles', () => import('#web/imports/trip-files-screen.tsx'), 'TripFilesScreen'),
  pageScreen(
    'mobileLive',
    () => import('#web/live/phone/mobile-live-screen.tsx'),
    'MobileLiveScreen',
    prefetchLive,
  ),

  ...curbScreens,

  publicScreen(
    '/$regionId/public',
    'shell:pages.publicPages',
    () => import('#web/regions/public-pages-screen.tsx'),
    'PublicPagesScreen',
  ),
  publicScreen(
    '/$regionId/public/policies',
    'shell:pages.publicPolicies',
    () => import('#web/policies/public-policies-screen.tsx'),
    'PublicPoliciesScreen',
  ),
  publicScreen(
    '/$regionId/public/routes',
    'shell:pages.publicRoutes',
    () => import('#web/routes/public-routes-screen.tsx'),
    'PublicRoutesScreen',
  ),
  publicScreen(
    '/$regionId/public/regulations',
    'shell:pages.publicRegulations',
    () => import('#web/curb/public-regulations-screen.tsx'),
    'PublicRegulationsScreen',
  ),
  publicScreen(
    '/$regionId/public/rates',
    'shell:pages.publicRates',
    () => import('#web/curb/public-rates-screen.tsx'),
    'PublicRatesScreen',
  ),
]

/** Alternative paths within a region -> the paths of the screens. */
export const redirects: Readonly<Record<string, string>> = {
  '/mobility/mds-data-health': '/$regionId/mobility/data-health',
}

/** Components of the identity room that the shell renders. */
export const slots: ShellSlots = {
  ProfileDialog: lazyRouteComponent(
    () => import('#web/identity/profile/profile-dialog.tsx'),
    'ProfileDialog',
  ),
  Gate: lazyRouteComponent(() => import('#web/identity/identity-gate.tsx'), 'IdentityGate'),
}
