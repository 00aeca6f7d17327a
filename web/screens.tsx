import { lazyRouteComponent as later } from '@tanstack/react-router'
import { spatialModes } from '#contract/map-names.ts'
import type { SpatialMode } from '#contract/spatial.ts'
import { loadRoomTexts } from '#web/i18n/start-i18n.ts'
import type { DistributionPage } from '#web/reporting/distributions.tsx'
import type { Dashboard } from '#web/reporting/dashboard.tsx'
import type { ReportContext, ReportSearch } from '#web/reporting/report.ts'
import { pages, type PageKey, pageTitle } from '#web/shell/pages.ts'
import type { ScreenEntry, ShellSlots } from '#web/shell/screen-entry.ts'

const RegionRoot = later(() => import('#web/shell/index-screens.tsx'), 'RegionRoot')
const CurbIndex = later(() => import('#web/shell/index-screens.tsx'), 'CurbIndex')
const RegulationsMapScreen = later(
  () => import('#web/curb/map/regulations-map-screen.tsx'),
  'RegulationsMapScreen',
)
const GeographiesScreen = later(() => import('#web/geography/geographies-screen.tsx'), 'GeographiesScreen')

/** A page of a region: its path and its rules stand in web/shell/pages.ts. */
const page = (
  key: PageKey,
  Screen: ScreenEntry['Screen'],
  prefetch?: ScreenEntry['prefetch'],
): ScreenEntry => ({
  path: `/$regionId/${pages[key].path}`,
  title: pageTitle(key),
  permission: 'signed_in',
  page: key,
  Screen,
  ...(prefetch ? { prefetch } : {}),
})
const prefetchLive: ScreenEntry['prefetch'] = async (...at) =>
  (await import('#web/live/prefetch-live.ts')).prefetchLive(...at)
/** A map of values by shape. */
const mapOf = (mode: SpatialMode): ScreenEntry =>
  page(
    mode,
    later(async () => {
      const { ModeScreen } = await import('#web/evaluation/mode-screen.tsx')
      return { default: () => <ModeScreen mode={mode} /> }
    }),
  )
/** A report page, of its declaration. */
const report = <D,>(
  key: PageKey,
  load: () => Promise<(context: ReportContext) => Dashboard<ReportSearch, D>>,
): ScreenEntry =>
  page(
    key,
    later(async () => {
      const [{ ReportScreen }, dashboard] = await Promise.all([
        import('#web/reporting/report-screen.tsx'),
        load(),
      ])
      return { default: () => <ReportScreen dashboard={dashboard} /> }
    }),
  )
/** A report page of how one value is distributed. */
const distribution = (key: DistributionPage): ScreenEntry =>
  report(key, async () => (await import('#web/reporting/distributions.tsx')).distributionReport(key))
const index = (path: string, Screen: ScreenEntry['Screen']): ScreenEntry => ({
  path: `/$regionId${path}`,
  title: 'shell:pages.home',
  permission: 'signed_in',
  Screen,
})
/** A screen without sign-in; it waits for the texts of the rooms. */
const open = <K extends string>(
  path: string,
  title: string,
  load: () => Promise<Readonly<Record<K, ScreenEntry['Screen']>>>,
  name: K,
): ScreenEntry => ({
  path,
  title: `shell:pages.${title}`,
  permission: 'public',
  Screen: later(async () => ({ default: (await Promise.all([load(), loadRoomTexts()]))[0][name] })),
})

/** Every screen. A new one is one line here. */
export const screens: readonly ScreenEntry[] = [
  {
    path: '/login',
    title: 'shell:pages.login',
    permission: 'public',
    Screen: later(() => import('#web/identity/login-screen.tsx'), 'LoginScreen'),
  },
  {
    path: '/login/new-password',
    title: 'shell:pages.newPassword',
    permission: 'public',
    Screen: later(() => import('#web/identity/new-password-screen.tsx'), 'NewPasswordScreen'),
  },
  open('/terms', 'terms', () => import('#web/identity/terms-screen.tsx'), 'TermsScreen'),
  {
    path: '/logout',
    title: 'shell:pages.logout',
    permission: 'public',
    Screen: later(() => import('#web/identity/logout-screen.tsx'), 'LogoutScreen'),
  },
  {
    path: '/oidc/login',
    title: 'shell:pages.login',
    permission: 'public',
    Screen: later(() => import('#web/identity/oidc-login-screen.tsx'), 'OidcLoginScreen'),
  },
  {
    path: '/oidc/entered',
    title: 'shell:pages.login',
    permission: 'public',
    Screen: later(() => import('#web/identity/oidc-entered-screen.tsx'), 'OidcEnteredScreen'),
  },
  {
    path: '/oauth2/login/close',
    title: 'shell:pages.login',
    permission: 'public',
    Screen: later(() => import('#web/identity/close-popup-screen.tsx'), 'ClosePopupScreen'),
  },
  open('/dev/gallery', 'gallery', () => import('#web/kit/gallery/gallery-screen.tsx'), 'GalleryScreen'),
  open(
    '/dev/gallery/charts',
    'gallery',
    () => import('#web/reporting/gallery/charts-gallery-screen.tsx'),
    'ChartsGalleryScreen',
  ),
  open('/dev/gallery/map', 'gallery', () => import('#web/curb/gallery/curb-map-screen.tsx'), 'CurbMapScreen'),
  {
    path: '/',
    title: 'shell:pages.home',
    permission: 'signed_in',
    Screen: later(() => import('#web/shell/home-screen.tsx'), 'HomeScreen'),
  },
  ...['/help', '/help/$topic'].map((path): ScreenEntry => ({
    path,
    title: 'shell:guide.title',
    permission: 'signed_in',
    Screen: later(() => import('#web/shell/guide/guide-screen.tsx'), 'GuideScreen'),
  })),
  {
    path: '/onboarding/$uuid',
    title: 'shell:pages.onboarding',
    permission: 'public',
    Screen: later(() => import('#web/users/onboarding-screen.tsx'), 'OnboardingScreen'),
  },
  {
    path: '/unsubscribe/$token',
    title: 'health:unsubscribe.page',
    permission: 'public',
    Screen: later(async () => ({
      default: (await Promise.all([import('#web/health/unsubscribe-screen.tsx'), loadRoomTexts()]))[0]
        .UnsubscribeScreen,
    })),
  },
  {
    path: '/unsubscribe/violations/$token',
    title: 'compliance:alerts.unsubscribe.page',
    permission: 'public',
    Screen: later(async () => ({
      default: (
        await Promise.all([import('#web/compliance/alerts/end-alerts-screen.tsx'), loadRoomTexts()])
      )[0].EndAlertsScreen,
    })),
  },
  {
    path: '/unsubscribe/reports/$token',
    title: 'reporting:schedules.unsubscribe.page',
    permission: 'public',
    Screen: later(async () => ({
      default: (
        await Promise.all([import('#web/reporting/schedules/end-report-screen.tsx'), loadRoomTexts()])
      )[0].EndReportScreen,
    })),
  },
  {
    path: '/impersonate',
    title: 'shell:pages.impersonate',
    permission: 'is_admin',
    Screen: later(() => import('#web/users/impersonate-screen.tsx'), 'ImpersonateScreen'),
  },
  {
    path: '/admin',
    title: 'shell:pages.organization',
    permission: 'is_admin',
    Screen: later(() => import('#web/shell/index-screens.tsx'), 'AdminIndex'),
  },
  {
    path: '/admin/organization',
    title: 'shell:pages.organization',
    permission: 'is_admin',
    Screen: later(() => import('#web/regions/organization-screen.tsx'), 'OrganizationScreen'),
  },
  {
    path: '/admin/regions',
    title: 'shell:pages.regions',
    permission: 'is_admin',
    Screen: later(() => import('#web/regions/regions-screen.tsx'), 'RegionsScreen'),
  },
  {
    path: '/admin/regions/$regionId/requirements',
    title: 'policies:requirements.page',
    permission: 'is_admin',
    Screen: later(() => import('#web/policies/requirements/requirements-screen.tsx'), 'RequirementsScreen'),
  },
  {
    path: '/admin/operators',
    title: 'shell:pages.operators',
    permission: 'is_admin',
    Screen: later(() => import('#web/feeds/operators-screen.tsx'), 'OperatorsScreen'),
  },
  {
    path: '/admin/users',
    title: 'shell:pages.users',
    permission: 'is_admin',
    Screen: later(() => import('#web/users/users-screen.tsx'), 'UsersScreen'),
  },
  {
    path: '/admin/roles',
    title: 'shell:pages.roles',
    permission: 'is_admin',
    Screen: later(() => import('#web/users/roles-screen.tsx'), 'RolesScreen'),
  },
  {
    path: '/admin/sign-in',
    title: 'shell:pages.signInProviders',
    permission: 'is_admin',
    Screen: later(() => import('#web/users/sign-in-providers-screen.tsx'), 'SignInProvidersScreen'),
  },
  {
    path: '/admin/api-keys',
    title: 'shell:pages.apiKeys',
    permission: 'is_admin',
    Screen: later(() => import('#web/api-keys/api-keys-screen.tsx'), 'ApiKeysScreen'),
  },
  {
    path: '/admin/try-api',
    title: 'shell:pages.tryApi',
    permission: 'is_admin',
    Screen: later(() => import('#web/api-keys/try-screen.tsx'), 'TryScreen'),
  },
  {
    path: '/admin/webhooks',
    title: 'shell:pages.webhooks',
    permission: 'is_admin',
    Screen: later(() => import('#web/notifications/webhooks-screen.tsx'), 'WebhooksScreen'),
  },
  {
    path: '/admin/audit',
    title: 'shell:pages.audit',
    permission: 'is_admin',
    Screen: later(() => import('#web/users/audit-screen.tsx'), 'AuditScreen'),
  },
  {
    path: '/admin/retention',
    title: 'shell:pages.retention',
    permission: 'is_admin',
    Screen: later(() => import('#web/regions/retention-screen.tsx'), 'RetentionScreen'),
  },
  {
    path: '/admin/work',
    title: 'shell:pages.work',
    permission: 'is_admin',
    Screen: later(() => import('#web/derived/background-work-screen.tsx'), 'BackgroundWorkScreen'),
  },

  index('', RegionRoot),
  {
    path: '/$regionId/404',
    title: 'shell:notFound.page',
    permission: 'signed_in',
    Screen: later(() => import('#web/shell/not-found.tsx'), 'NotFound'),
  },

  index('/mobility', RegionRoot),
  index('/mobility/$', RegionRoot),
  index('/mobility/maps', RegionRoot),
  index('/mobility/maps/$', RegionRoot),
  page(
    'activitySummary',
    later(() => import('#web/reporting/activity-summary-screen.tsx'), 'ActivitySummaryScreen'),
  ),
  page(
    'live',
    later(() => import('#web/live/live-map-screen.tsx'), 'LiveMapScreen'),
    prefetchLive,
  ),
  page(
    'issues',
    later(() => import('#web/issues/issues-screen.tsx'), 'IssuesScreen'),
  ),
  ...spatialModes.map(mapOf),
  page(
    'routes',
    later(() => import('#web/routes/routes-screen.tsx'), 'RoutesScreen'),
  ),
  report('tripCounts', async () => (await import('#web/reporting/trip-counts.tsx')).tripCounts),
  report(
    'mobilityMetrics',
    async () => (await import('#web/reporting/mobility-metrics.tsx')).mobilityMetrics,
  ),
  page(
    'export',
    later(() => import('#web/reporting/exports/export-screen.tsx'), 'ExportScreen'),
  ),
  distribution('tripDistance'),
  distribution('tripDuration'),
  report('timeOfDay', async () => (await import('#web/reporting/time-of-day.tsx')).timeOfDay),
  distribution('tripDistanceByTech'),
  distribution('tripSpeedByTech'),
  distribution('parkingTime'),
  report(
    'parkingTimeByDistrict',
    async () => (await import('#web/reporting/parking-by-district.tsx')).parkingByDistrict,
  ),
  report(
    'bikeshareStations',
    async () => (await import('#web/reporting/bikeshare/bikeshare-stations.tsx')).bikeshareStations,
  ),
  page(
    'policies',
    later(() => import('#web/policies/policies-screen.tsx'), 'PoliciesScreen'),
  ),
  page(
    'policyCreate',
    later(() => import('#web/policies/policy-create-screen.tsx'), 'PolicyCreateScreen'),
  ),
  page(
    'policyDuplicate',
    later(() => import('#web/policies/policy-duplicate-screen.tsx'), 'PolicyDuplicateScreen'),
  ),
  page(
    'policy',
    later(() => import('#web/policies/policy-screen.tsx'), 'PolicyScreen'),
  ),
  page(
    'policyEdit',
    later(() => import('#web/policies/policy-edit-screen.tsx'), 'PolicyEditScreen'),
  ),
  page(
    'compliance',
    later(() => import('#web/compliance/compliance-screen.tsx'), 'ComplianceScreen'),
  ),
  page(
    'complianceDetail',
    later(() => import('#web/compliance/detail/compliance-detail-screen.tsx'), 'ComplianceDetailScreen'),
  ),
  page(
    'invoicing',
    later(() => import('#web/billing/invoicing-screen.tsx'), 'InvoicingScreen'),
  ),
  page(
    'invoice',
    later(() => import('#web/billing/invoice/invoice-screen.tsx'), 'InvoiceScreen'),
  ),
  page('geographies', GeographiesScreen),
  page(
    'dataHealth',
    later(() => import('#web/health/data-health-screen.tsx'), 'DataHealthScreen'),
  ),
  page(
    'tripFiles',
    later(() => import('#web/imports/trip-files-screen.tsx'), 'TripFilesScreen'),
  ),
  page(
    'mobileLive',
    later(() => import('#web/live/phone/mobile-live-screen.tsx'), 'MobileLiveScreen'),
    prefetchLive,
  ),

  index('/curb', CurbIndex),
  index('/curb/regulations', CurbIndex),
  index('/curb/management', CurbIndex),
  index('/curb/parking-insights', CurbIndex),
  index('/curb/revenue', CurbIndex),
  page(
    'curbMetrics',
    later(() => import('#web/curb/management/curb-metrics-screen.tsx'), 'CurbMetricsScreen'),
  ),
  page(
    'curbActivity',
    later(() => import('#web/curb/management/curb-activity-screen.tsx'), 'CurbActivityScreen'),
  ),
  page(
    'parkingRevenue',
    later(() => import('#web/curb/parking/revenue/revenue-screen.tsx'), 'ParkingRevenueScreen'),
  ),
  page(
    'transactions',
    later(() => import('#web/curb/parking/transactions/transactions-screen.tsx'), 'TransactionsScreen'),
  ),
  page(
    'paymentImports',
    later(() => import('#web/curb/parking/transactions/payment-imports-screen.tsx'), 'PaymentImportsScreen'),
  ),
  page(
    'paymentLocations',
    later(
      () => import('#web/curb/parking/transactions/payment-locations-screen.tsx'),
      'PaymentLocationsScreen',
    ),
  ),
  page(
    'paymentImport',
    later(() => import('#web/curb/parking/transactions/payment-import-screen.tsx'), 'PaymentImportScreen'),
  ),
  page(
    'occupancy',
    later(() => import('#web/curb/parking/occupancy-screen.tsx'), 'OccupancyScreen'),
  ),
  page(
    'occupancyCounts',
    later(() => import('#web/curb/parking/counts-screen.tsx'), 'CountsScreen'),
  ),
  page(
    'occupancyCount',
    later(() => import('#web/curb/parking/count-screen.tsx'), 'CountScreen'),
  ),
  page(
    'pricingEngine',
    later(() => import('#web/curb/parking/pricing/pricing-screen.tsx'), 'PricingScreen'),
  ),
  page(
    'priceProposal',
    later(() => import('#web/curb/parking/pricing/proposal-screen.tsx'), 'ProposalScreen'),
  ),
  page(
    'regulationsLibrary',
    later(() => import('#web/curb/regulations/regulations-screen.tsx'), 'RegulationsScreen'),
  ),
  page(
    'regulationCreate',
    later(() => import('#web/curb/regulations/regulation-edit-screen.tsx'), 'RegulationCreateScreen'),
  ),
  page(
    'regulation',
    later(() => import('#web/curb/regulations/regulation-screen.tsx'), 'RegulationScreen'),
  ),
  page(
    'regulationEdit',
    later(() => import('#web/curb/regulations/regulation-edit-screen.tsx'), 'RegulationEditScreen'),
  ),
  page(
    'curbZones',
    later(() => import('#web/curb/editing/zones-edit-screen.tsx'), 'ZonesEditScreen'),
  ),
  page(
    'curbZoneHistory',
    later(() => import('#web/curb/editing/zone-history-screen.tsx'), 'ZoneHistoryScreen'),
  ),
  page(
    'curbAllocation',
    later(() => import('#web/curb/allocation/curb-allocation-screen.tsx'), 'CurbAllocationScreen'),
  ),
  page('regulationsMap', RegulationsMapScreen),
  page(
    'curbImports',
    later(() => import('#web/curb/imports/imports-screen.tsx'), 'CurbImportsScreen'),
  ),
  page(
    'curbImport',
    later(() => import('#web/curb/imports/import-screen.tsx'), 'CurbImportScreen'),
  ),
  page(
    'feesAndRevenue',
    later(() => import('#web/curb/revenue/fees-and-revenue-screen.tsx'), 'FeesAndRevenueScreen'),
  ),
  page('curbGeographies', GeographiesScreen),

  open(
    '/$regionId/public',
    'publicPages',
    () => import('#web/regions/public-pages-screen.tsx'),
    'PublicPagesScreen',
  ),
  open(
    '/$regionId/public/policies',
    'publicPolicies',
    () => import('#web/policies/public-policies-screen.tsx'),
    'PublicPoliciesScreen',
  ),
  open(
    '/$regionId/public/routes',
    'publicRoutes',
    () => import('#web/routes/public-routes-screen.tsx'),
    'PublicRoutesScreen',
  ),
  open(
    '/$regionId/public/regulations',
    'publicRegulations',
    () => import('#web/curb/public-regulations-screen.tsx'),
    'PublicRegulationsScreen',
  ),
  open(
    '/$regionId/public/rates',
    'publicRates',
    () => import('#web/curb/public-rates-screen.tsx'),
    'PublicRatesScreen',
  ),
]

/** Paths of a region that have another name. */
export const redirects: Readonly<Record<string, string>> = {
  '/mobility/mds-data-health': '/$regionId/mobility/data-health',
}

/** What rooms put into the frame. */
export const slots: ShellSlots = {
  ProfileDialog: later(() => import('#web/identity/profile/profile-dialog.tsx'), 'ProfileDialog'),
  Gate: later(() => import('#web/identity/identity-gate.tsx'), 'IdentityGate'),
}
