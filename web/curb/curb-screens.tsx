import { lazyRouteComponent as later } from '@tanstack/react-router'
import { indexScreen as index, pageScreen as page, type ScreenEntry } from '#web/shell/screen-entry.ts'

const CurbIndex = later(() => import('#web/shell/index-screens.tsx'), 'CurbIndex')

/** The screens of the Curb Manager. */
export const curbScreens: readonly ScreenEntry[] = [
  index('/curb', CurbIndex),
  index('/curb/regulations', CurbIndex),
  index('/curb/management', CurbIndex),
  index('/curb/parking-insights', CurbIndex),
  index('/curb/revenue', CurbIndex),
  page('curbMetrics', () => import('./management/curb-metrics-screen.tsx'), 'CurbMetricsScreen'),
  page('curbActivity', () => import('./management/curb-activity-screen.tsx'), 'CurbActivityScreen'),
  page('parkingRevenue', () => import('./parking/revenue/revenue-screen.tsx'), 'ParkingRevenueScreen'),
  page('transactions', () => import('./parking/transactions/transactions-screen.tsx'), 'TransactionsScreen'),
  page(
    'paymentImports',
    () => import('./parking/transactions/payment-imports-screen.tsx'),
    'PaymentImportsScreen',
  ),
  page(
    'paymentLocations',
    () => import('./parking/transactions/payment-locations-screen.tsx'),
    'PaymentLocationsScreen',
  ),
  page(
    'paymentImport',
    () => import('./parking/transactions/payment-import-screen.tsx'),
    'PaymentImportScreen',
  ),
  page('occupancy', () => import('./parking/occupancy-screen.tsx'), 'OccupancyScreen'),
  page('occupancyCounts', () => import('./parking/counts-screen.tsx'), 'CountsScreen'),
  page('occupancyCount', () => import('./parking/count-screen.tsx'), 'CountScreen'),
  page('pricingEngine', () => import('./parking/pricing/pricing-screen.tsx'), 'PricingScreen'),
  page('priceProposal', () => import('./parking/pricing/proposal-screen.tsx'), 'ProposalScreen'),
  page('regulationsLibrary', () => import('./regulations/regulations-screen.tsx'), 'RegulationsScreen'),
  page(
    'regulationCreate',
    () => import('./regulations/regulation-edit-screen.tsx'),
    'RegulationCreateScreen',
  ),
  page('regulation', () => import('./regulations/regulation-screen.tsx'), 'RegulationScreen'),
  page('regulationEdit', () => import('./regulations/regulation-edit-screen.tsx'), 'RegulationEditScreen'),
  page('curbZones', () => import('./editing/zones-edit-screen.tsx'), 'ZonesEditScreen'),
  page('curbZoneHistory', () => import('./editing/zone-history-screen.tsx'), 'ZoneHistoryScreen'),
  page('curbAllocation', () => import('./allocation/curb-allocation-screen.tsx'), 'CurbAllocationScreen'),
  page('regulationsMap', () => import('./map/regulations-map-screen.tsx'), 'RegulationsMapScreen'),
  page('curbImports', () => import('./imports/imports-screen.tsx'), 'CurbImportsScreen'),
  page('curbImport', () => import('./imports/import-screen.tsx'), 'CurbImportScreen'),
  page('feesAndRevenue', () => import('./revenue/fees-and-revenue-screen.tsx'), 'FeesAndRevenueScreen'),
  page('curbGeographies', () => import('#web/geography/geographies-screen.tsx'), 'GeographiesScreen'),
]
