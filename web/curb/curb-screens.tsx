import { lazyRouteComponent as later } from '@tanstack/react-router'
import { indexScreen as index, pageScreen as page, type ScreenEntry } from '#web/shell/screen-entry.ts'

const CurbIndex = later(() => import('#web/shell/index-screens.tsx'), 'CurbIndex')
const RegulationsMapScreen = later(() => import('./map/regulations-map-screen.tsx'), 'RegulationsMapScreen')
const GeographiesScreen = later(() => import('#web/geography/geographies-screen.tsx'), 'GeographiesScreen')

/** The screens of the Curb Manager. */
export const curbScreens: readonly ScreenEntry[] = [
  index('/curb', CurbIndex),
  index('/curb/regulations', CurbIndex),
  index('/curb/management', CurbIndex),
  index('/curb/parking-insights', CurbIndex),
  index('/curb/revenue', CurbIndex),
  page(
    'curbMetrics',
    later(() => import('./management/curb-metrics-screen.tsx'), 'CurbMetricsScreen'),
  ),
  page(
    'curbActivity',
    later(() => import('./management/curb-activity-screen.tsx'), 'CurbActivityScreen'),
  ),
  page(
    'parkingRevenue',
    later(() => import('./parking/revenue/revenue-screen.tsx'), 'ParkingRevenueScreen'),
  ),
  page(
    'transactions',
    later(() => import('./parking/transactions/transactions-screen.tsx'), 'TransactionsScreen'),
  ),
  page(
    'paymentImports',
    later(() => import('./parking/transactions/payment-imports-screen.tsx'), 'PaymentImportsScreen'),
  ),
  page(
    'paymentLocations',
    later(() => import('./parking/transactions/payment-locations-screen.tsx'), 'PaymentLocationsScreen'),
  ),
  page(
    'paymentImport',
    later(() => import('./parking/transactions/payment-import-screen.tsx'), 'PaymentImportScreen'),
  ),
  page(
    'occupancy',
    later(() => import('./parking/occupancy-screen.tsx'), 'OccupancyScreen'),
  ),
  page(
    'occupancyCounts',
    later(() => import('./parking/counts-screen.tsx'), 'CountsScreen'),
  ),
  page(
    'occupancyCount',
    later(() => import('./parking/count-screen.tsx'), 'CountScreen'),
  ),
  page(
    'pricingEngine',
    later(() => import('./parking/pricing/pricing-screen.tsx'), 'PricingScreen'),
  ),
  page(
    'priceProposal',
    later(() => import('./parking/pricing/proposal-screen.tsx'), 'ProposalScreen'),
  ),
  page(
    'regulationsLibrary',
    later(() => import('./regulations/regulations-screen.tsx'), 'RegulationsScreen'),
  ),
  page(
    'regulationCreate',
    later(() => import('./regulations/regulation-edit-screen.tsx'), 'RegulationCreateScreen'),
  ),
  page(
    'regulation',
    later(() => import('./regulations/regulation-screen.tsx'), 'RegulationScreen'),
  ),
  page(
    'regulationEdit',
    later(() => import('./regulations/regulation-edit-screen.tsx'), 'RegulationEditScreen'),
  ),
  page(
    'curbZones',
    later(() => import('./editing/zones-edit-screen.tsx'), 'ZonesEditScreen'),
  ),
  page(
    'curbZoneHistory',
    later(() => import('./editing/zone-history-screen.tsx'), 'ZoneHistoryScreen'),
  ),
  page(
    'curbAllocation',
    later(() => import('./allocation/curb-allocation-screen.tsx'), 'CurbAllocationScreen'),
  ),
  page('regulationsMap', RegulationsMapScreen),
  page(
    'curbImports',
    later(() => import('./imports/imports-screen.tsx'), 'CurbImportsScreen'),
  ),
  page(
    'curbImport',
    later(() => import('./imports/import-screen.tsx'), 'CurbImportScreen'),
  ),
  page(
    'feesAndRevenue',
    later(() => import('./revenue/fees-and-revenue-screen.tsx'), 'FeesAndRevenueScreen'),
  ),
  page('curbGeographies', GeographiesScreen),
]
