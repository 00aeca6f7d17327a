import * as apiKeys from './api-keys.ts'
import * as basemap from './basemap.ts'
import * as bikeshare from './bikeshare.ts'
import * as boundaryFiles from './boundary-files.ts'
import * as billingSettings from './billing-settings.ts'
import * as charges from './charges.ts'
import * as compliance from './compliance.ts'
import * as cdsTokens from './cds-tokens.ts'
import * as complianceAlerts from './compliance-alerts.ts'
import * as curbRevenue from './curb-revenue.ts'
import * as curbCalibration from './curb-calibration.ts'
import * as curbCounts from './curb-counts.ts'
import * as curbOccupancy from './curb-occupancy.ts'
import * as curbPaymentImports from './curb-payment-imports.ts'
import * as curbPaymentLinks from './curb-payment-links.ts'
import * as curbPayments from './curb-payments.ts'
import * as curbEdits from './curb-edits.ts'
import * as curbSessions from './curb-sessions.ts'
import * as curbMap from './curb-map.ts'
import type { Endpoint } from './endpoint.ts'
import * as curbRegulations from './curb-regulations.ts'
import * as curbPricing from './curb-pricing.ts'
import * as curbPriceProposals from './curb-price-proposals.ts'
import * as curbSettings from './curb-settings.ts'
import * as curbZones from './curb-zones.ts'
import * as exports from './exports.ts'
import * as external from './external.ts'
import * as curbImports from './curb-imports.ts'
import * as evaluation from './evaluation.ts'
import * as fees from './fees.ts'
import * as feeds from './feeds.ts'
import * as fleetFigures from './fleet-figures.ts'
import * as gbfs from './gbfs.ts'
import * as geography from './geography.ts'
import * as geographyHistory from './geography-history.ts'
import * as geographyUse from './geography-use.ts'
import * as health from './health.ts'
import * as identity from './identity.ts'
import * as incidents from './incidents.ts'
import * as ingest from './imports.ts'
import * as invoiceCounts from './invoice-counts.ts'
import * as invoiceDisputes from './invoice-disputes.ts'
import * as invoicePayments from './invoice-payments.ts'
import * as invoices from './invoices.ts'
import * as issues from './issues.ts'
import * as layerFigures from './layer-figures.ts'
import * as managedOperators from './managed-operators.ts'
import * as mdsMetrics from './mds-metrics.ts'
import * as mdsPolicyFeed from './mds-policy-feed.ts'
import * as metrics from './metrics.ts'
import * as operations from './operations.ts'
import * as operators from './operators.ts'
import * as organizations from './organizations.ts'
import * as parking from './parking.ts'
import * as parkingSessions from './parking-sessions.ts'
import * as policies from './policies.ts'
import * as policyImport from './policy-import.ts'
import * as publicPolicies from './public-policies.ts'
import * as reportSchedules from './report-schedules.ts'
import * as requirements from './requirements.ts'
import * as regions from './regions.ts'
import * as routes from './routes.ts'
import * as retention from './retention.ts'
import * as savedViews from './saved-views.ts'
import * as serverStatus from './server-status.ts'
import * as serverWork from './server-work.ts'
import * as signInProviders from './sign-in-providers.ts'
import * as spatial from './spatial.ts'
import * as users from './users.ts'
import * as vehicles from './vehicles.ts'
import * as weather from './weather.ts'
import * as webhooks from './webhooks.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' &&
  value !== null &&
  'permission' in value &&
  'response' in value &&
  'path' in value

const rooms = {
  identity,
  users,
  apiKeys,
  savedViews,
  signInProviders,
  organizations,
  regions,
  operators,
  managedOperators,
  geography,
  boundaryFiles,
  geographyHistory,
  geographyUse,
  basemap,
  ingest,
  feeds,
  vehicles,
  gbfs,
  issues,
  weather,
  evaluation,
  spatial,
  layerFigures,
  parking,
  parkingSessions,
  curbMap,
  bikeshare,
  fleetFigures,
  metrics,
  mdsMetrics,
  reportSchedules,
  exports,
  external,
  curbImports,
  routes,
  health,
  incidents,
  policies,
  curbRegulations,
  curbPricing,
  curbPriceProposals,
  curbSettings,
  curbZones,
  curbEdits,
  policyImport,
  mdsPolicyFeed,
  publicPolicies,
  requirements,
  compliance,
  complianceAlerts,
  webhooks,
  fees,
  invoices,
  invoiceCounts,
  invoiceDisputes,
  invoicePayments,
  billingSettings,
  charges,
  retention,
  serverStatus,
  serverWork,
  operations,
  cdsTokens,
  curbRevenue,
  curbSessions,
  curbOccupancy,
  curbCounts,
  curbCalibration,
  curbPayments,
  curbPaymentImports,
  curbPaymentLinks,
}

/** Every operation of the API by name. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  Object.values(rooms).flatMap((room) =>
    Object.entries(room).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
  ),
)

/** The room of an operation by the name of the operation. */
export const roomByEndpoint: ReadonlyMap<string, keyof typeof rooms> = new Map(
  Object.entries(rooms).flatMap(([room, values]) =>
    Object.entries(values)
      .filter(([, value]) => isEndpoint(value))
      .map(([name]) => [name, room as keyof typeof rooms] as const),
  ),
)
