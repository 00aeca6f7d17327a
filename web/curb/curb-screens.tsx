import { lazyRouteComponent } from '@tanstack/react-router'
import { indexScreen, pageScreen, type ScreenEntry } from '#web/shell/screen-entry.ts'

const CurbIndex = lazyRouteComponent(() => import('#web/shell/index-screens.tsx'), 'CurbIndex')

/** The screens of the Curb Manager. */
export const curbScreens: readonly ScreenEntry[] = [
  // Paths of groups of the shelf; they redirect to their default page.
  indexScreen('/curb', CurbIndex),
  indexScreen('/curb/regulations', CurbIndex),
  indexScreen('/curb/management', CurbIndex),
  indexScreen('/curb/parking-insights', CurbIndex),
  indexScreen('/curb/revenue', CurbIndex),
  pageScreen('curbMetrics', () => import('./management/curb-metrics-screen.tsx'), 'CurbMetricsScreen'),
  pageScreen('curbActivity', () => import('./management/curb-activity-screen.tsx'), 'CurbActivityScreen'),
  pageScreen('parkingRevenue', () => import('./parking/revenue/revenue-screen.tsx'), 'ParkingRevenueScreen'),
  pageScreen(
    'transactions',
    () => import('./parking/transactions/transactions-screen.tsx'),
    'TransactionsScreen',
  ),
  pageScreen(
    'paymentImports',
    () => import('./parking/transactions/payment-imports-screen.tsx'),
    'PaymentImportsScreen',
  ),
  pageScreen(
    'paymentLocations',
    () => import('./parking/transactions/payment-locations-screen.tsx'),
    'PaymentLocationsScreen',
  ),
  pageScreen(
    'paymentImport',
    () => import('./parking/transactions/payment-import-screen.tsx'),
    'PaymentImportScreen',
  ),
  pageScreen('occupancy', () => import('./parking/occupancy-screen.tsx'), 'OccupancyScreen'),
  pageScreen('occupancyCounts', () => import('./parking/counts-screen.tsx'), 'CountsScreen'),
  pageScreen('occupancyCount', () => import('./parking/count-screen.tsx'), 'CountScreen'),
  pageScreen('pricingEngine', () => import('./parking/pricing/pricing-screen.tsx'), 'PricingScreen'),
  pageScreen('priceProposal', () => import('./parking/pricing/proposal-screen.tsx'), 'ProposalScreen'),
  pageScreen('regulationsLibrary', () => import('./regulations/regulations-screen.tsx'), 'RegulationsScreen'),
  pageScreen(
    'regulationCreate',
    () => import('./regulations/regulation-edit-screen.tsx'),
    'RegulationCreateScreen',
  ),
  pageScreen('regulation', () => import('./regulations/regulation-screen.tsx'), 'RegulationScreen'),
  pageScreen(
    'regulationEdit',
    () => import('./regulations/regulation-edit-screen.tsx'),
    'RegulationEditScreen',
  ),
  pageScreen('curbZones', () => import('./editing/zones-edit-screen.tsx'), 'ZonesEditScreen'),
  pageScreen('curbZoneHistory', () => import('./editing/zone-history-screen.tsx'), 'ZoneHistoryScreen'),
  pageScreen(
    'curbAllocation',
    () => import('./allocation/curb-allocation-screen.tsx'),
    'CurbAllocationScreen',
  ),
  pageScreen('regulationsMap', () => import('./map/regulations-map-screen.tsx'), 'RegulationsMapScreen'),
  pageScreen('curbImports', () => import('./imports/imports-screen.tsx'), 'CurbImportsScreen'),
  pageScreen('curbImport', () => import('./imports/import-screen.tsx'), 'CurbImportScreen'),
  pageScreen('feesAndRevenue', () => import('./revenue/fees-and-revenue-screen.tsx'), 'FeesAndRevenueScreen'),
  pageScreen('curbGeographies', () => import('#web/geography/geographies-screen.tsx'), 'GeographiesScreen'),
]
