import { pricingPresets } from '#contract/curb-pricing-presets.ts'
import { measureKeys } from '#contract/metrics.ts'
import { healthFigureNames } from '#contract/health-figures.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { aggregations, spatialModes } from '#contract/map-names.ts'
import { fleetPeriod } from '../city/fleet.ts'
import { tripPeriod } from '../city/trips.ts'
import { region_id } from './streets.ts'
import { type Town, tripFee } from './two-operators.ts'

/** The input of a call. `narrow` adds the filter by operator, if the endpoint has one. */
export interface Call {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: Record<string, unknown>
  narrow?: (call: Call, slug: string) => Call
  /** Whether the call requires the permission to see single trips. */
  isOfSingleTrips?: true
}

const byQuery = (call: Call, slug: string): Call => ({ ...call, query: { ...call.query, operators: slug } })
const byOneOfQuery = (call: Call, slug: string): Call => ({
  ...call,
  query: { ...call.query, operator: slug },
})
const byBody = (call: Call, slug: string): Call => ({ ...call, body: { ...call.body, operators: [slug] } })

/** Calls with responses that depend on operators, by endpoint. Another operator's response never changes. */
export function listOperatorCalls({ layer, policy, feePolicy, first }: Town): Record<string, Call[]> {
  const { shape_layer_uuid } = layer
  const params = { region_id }
  const ofLayer = { region_id, shape_layer_uuid }
  const tile = { ...ofLayer, z: 11, x: 611, y: 764 }
  const trips = { body: { region_id, shape_layer_uuid, ...tripPeriod }, narrow: byBody }
  const figures: Call = { params: ofLayer, query: { ...fleetPeriod }, narrow: byQuery }
  const fleet: Call = { params, query: { ...fleetPeriod }, narrow: byQuery }
  const routes: Call = { params, query: { ...tripPeriod }, narrow: byQuery }
  const parkingEvents: Call = {
    params,
    query: { startDate: fleetPeriod.start_date, endDate: fleetPeriod.end_date },
    narrow: byQuery,
  }
  const maps = spatialModes.map((mode): Call => ({
    params,
    body: {
      mode,
      aggregation: aggregations[mode][0],
      shape_layer_uuid,
      ...(mode === 'trips' ? tripPeriod : fleetPeriod),
    },
    narrow: byBody,
  }))
  const through: Call = {
    params,
    body: { mode: 'trips', aggregation: 'intersect', shape_layer_uuid, ...tripPeriod },
    narrow: byBody,
  }
  const days = { start_date: '2026-03-04', end_date: '2026-03-09' }
  /** Only a few days are derived on request, others in the background. */
  const derivedDays = { start_date: '2026-03-10', end_date: '2026-03-13' }
  const rule: Partial<PolicyFields> = { policy_type: 'no_parking', policy_name: 'Tried', shape_layer_uuid }
  const health = healthFigureNames.map((figure): Call => ({
    params: { region_id, figure },
    narrow: byOneOfQuery,
  }))
  return {
    listOperators: [{}, { query: { region_id } }],
    listRegionOperators: [{ params }],
    getRegionMetrics: [{ ...fleet, query: tripPeriod }],
    getRegionParking: [fleet],
    getOperator: [{ params: { slug: 'heron' } }],
    listMdsOperators: [{ params }],
    getLiveVehicles: [{ params, query: { ids: true } }],
    getVehicleDay: [
      { params: { region_id, device_id: first.deviceId } },
      { params: { region_id, device_id: 'heron:heron-now' } },
    ],
    listLiveStations: [{ params }],
    getGbfs: [
      { params: { region_id, gbfs_endpoint: 'vehicle_status' }, narrow: byOneOfQuery },
      { params: { region_id, gbfs_endpoint: 'station_information' } },
    ],
    getTripsExtent: [{ params }],
    queryTripsSpatial: [trips],
    queryTripsByDaySpatial: [trips, { ...trips, body: { ...trips.body, format: 'csv' } }],
    queryMostRecentTrips: [{ query: { region_id }, narrow: byQuery }],
    querySpatial: [...maps, through],
    querySpatialByTime: maps.map((map) => ({ ...map, body: { ...map.body, bucket: 'day' } })),
    downloadSpatialByDay: maps,
    getSpatialExtent: spatialModes.map((mode) => ({ params, query: { mode } })),
    getTripsByShape: [{ ...figures, query: tripPeriod }],
    getParkingByShape: [figures],
    getDeploymentsByShape: [figures],
    getVehicleCountsByShape: [figures],
    getParkingTile: [{ ...figures, params: tile }],
    getDeploymentsTile: [{ ...figures, params: tile }],
    getParkingLegend: [figures],
    getDeploymentsLegend: [figures],
    getParkingByShapeAndDay: [figures, { ...figures, query: { ...fleetPeriod, format: 'geojson' } }],
    getDeploymentsByShapeAndDay: [figures],
    queryParkingSpatial: [{ body: { region_id, shape_layer_uuid, ...fleetPeriod }, narrow: byBody }],
    queryParkingByDaySpatial: [{ body: { region_id, shape_layer_uuid, ...fleetPeriod }, narrow: byBody }],
    listParkingEvents: [parkingEvents],
    listCurbParkingEvents: [parkingEvents],
    getBikeshare: [{ params }],
    getBikeshareStations: [
      { params, query: { ...fleetPeriod, price_per_minute: '1.00' }, narrow: byQuery },
      { params, query: { ...fleetPeriod, format: 'csv' }, narrow: byQuery },
    ],
    getParkingSessionsByMakeModel: [fleet, { ...fleet, query: { ...fleetPeriod, format: 'json' } }],
    getMedianTripDistance: [{ ...fleet, query: tripPeriod }],
    getTripsByTimePeriod: [{ ...fleet, query: tripPeriod }],
    getVehiclesByHour: [fleet],
    getVehiclesByTimePeriod: [fleet, { ...fleet, query: { ...fleetPeriod, method: 'sae_max' } }],
    queryMetrics: [
      {
        params,
        body: {
          measures: [...measureKeys],
          dimensions: ['day', 'operator', 'vehicle_type'],
          ...derivedDays,
          compare_start_date: '2026-03-06',
          compare_end_date: '2026-03-09',
        },
        narrow: byBody,
      },
    ],
    queryDistribution: (['trip_distance', 'parked_duration'] as const).map((value) => ({
      params,
      body: { value, bins: [0, 1000, 5000], group_by: 'operator', ...derivedDays },
      narrow: byBody,
    })),
    listMetricRecords: (['trips', 'fleet_avg', 'parking_events', 'drop_offs'] as const).map((measure) => ({
      params,
      body: { measure, ...derivedDays },
      narrow: byBody,
      isOfSingleTrips: true as const,
    })),
    getRawData: [{ params }],
    countRawData: [
      { params: { region_id, table: 'trips' }, query: tripPeriod, narrow: byQuery },
      { params: { region_id, table: 'events' }, query: fleetPeriod, narrow: byQuery },
    ],
    getNonOperationalSummary: [fleet],
    listNonOperationalEvents: [fleet],
    getRouteDateRange: [{ params }],
    listRouteVehicleTypes: [{ params }],
    listRouteOperators: [{ params }],
    getRouteStatistics: [routes],
    getRouteVolumes: [routes],
    listRoutes: [routes, { ...routes, query: { ...tripPeriod, format: 'csv' } }],
    downloadRoutes: [{ ...routes, query: { ...tripPeriod, format: 'geojson' } }],
    getMdsStatus: [{ params }],
    getDataHealth: [{ params, narrow: byOneOfQuery }],
    listHealthRows: health,
    listHealthSpans: health,
    // Operators do not see the comments of the city.
    listIncidents: [{ params }],
    getComplianceSummary: [{ params, query: { startDate: days.start_date, endDate: days.end_date } }],
    getComplianceForPolicy: [{ body: { policy_uuid: policy.policy_uuid, ...days }, narrow: byBody }],
    tryPolicy: [
      { params, body: { policy: rule, ...days }, narrow: byBody },
      {
        params,
        body: { policy: { policy_type: 'vehicle_cap', policy_name: 'Cap', maximum: 1 }, ...days },
        narrow: byBody,
      },
    ],
    listComplianceFacts: [
      { params, body: { policy: rule, ...days, only_violations: false }, narrow: byBody },
    ],
    getFeeSummary: [{ params, query: fleetPeriod }],
    getFees: [{ params, query: { ...fleetPeriod, operator: 'heron' } }],
    forecastFees: [{ params }],
    tryFees: [{ params, body: { ...fleetPeriod, policy: tripFee }, narrow: byBody }],
    listFeeFacts: [
      { params, query: { ...fleetPeriod, policy_uuid: feePolicy, operator: 'heron' }, isOfSingleTrips: true },
    ],
    listInvoices: [
      { params, narrow: byOneOfQuery },
      { params, query: { search: 'heron' } },
    ],
    // Operators do not see who recorded a payment.
    listPayments: [{ params }],
    listDisputes: [{ params, narrow: byOneOfQuery }],
    getAging: [{ params }],
    listPolicies: [{ body: { region_id } }, { body: { region_id, text: 'heron' } }],
    listLayerDependents: [{ params: ofLayer }],
  }
}

const pricingWindow = {
  start_date: '2026-03-04',
  end_date: '2026-03-09',
  kinds: ['measured'],
  min_days: 1,
  min_coverage: 0,
}
const pricingParameters = { ...pricingPresets[0]?.fields, ...pricingWindow, effective_date: '2026-04-01' }
const pricingScenario = {
  ...pricingWindow,
  bands: pricingPresets[0]?.fields.bands,
  day_types: pricingPresets[0]?.fields.day_types,
  change: { by: 'amount', value: 25 },
}

/** The common reason why responses do not depend on operators. */
const because =
  (why: string) =>
  (...calls: Call[]): [why: string, ...calls: Call[]] => [why, ...calls]

/** Calls with responses that do not depend on operators, with the reason. */
export function listCallsWithoutOperators({
  layer,
  shape,
  policy,
  first,
  organizations,
}: Town): Record<string, [why: string, ...calls: Call[]]> {
  const params = { region_id }
  const [ofLayer, ofShape] = [
    { region_id, shape_layer_uuid: layer.shape_layer_uuid },
    { region_id, shape_uuid: shape.shape_uuid },
  ]
  const geography = because('the city’s own maps')
  const published = because('published policies, which are public')
  const issues = because('311 issues and weather are the city’s')
  const curb = because('curb regulations, which are the city’s')
  const pricing = because('refused: prices are the city’s')
  const unknownProposal = { params: { region_id, proposal_id: shape.shape_uuid } }
  const curbTile = { region_id, z: 14, x: 4893, y: 6012 }
  const pricingTile = { parameters: JSON.stringify(pricingParameters), band: 'morning', day_type: 'weekday' }
  const payments = because('refused: payments of parking are of all vehicles')
  const sessions = because('refused: sessions at the curb are of all vehicles')
  const revenue = because('refused: revenue of all payers')
  const accounts = because('refused: needs draft_invoices')
  const paidDays = { start_date: '2026-03-04', end_date: '2026-03-09' }
  const revenueDays = { start_date: '2026-06-01', end_date: '2026-06-30' }
  const invoices = because('invoices of the viewer’s operator')
  const unknownInvoice = { params: { region_id, invoice_id: shape.shape_uuid } }
  const unknownDispute = { params: { ...unknownInvoice.params, dispute_id: shape.shape_uuid } }
  const statementPeriod = { start_date: '2026-01-01', end_date: '2026-12-31' }
  const unknownCurbImport = { params: { region_id, import_id: shape.shape_uuid } }
  const ownData = because('the viewer’s own')
  return {
    changeMe: ownData({ body: { name: 'Somebody' } }),
    getMe: ownData({}),
    getMyPermissions: ownData({}),
    listFeatureFlags: ownData({}),
    listIncidentSubscriptions: ownData({}),
    listAlertSubscriptions: ownData({ params }),
    setIncidentSubscription: ownData({ body: { region_id, operator: 'lark', cadence: null } }),
    addAlertSubscription: ownData({ params, body: { channel: 'email', operator: 'heron' } }),
    endAlertSubscription: ownData({ params: { region_id, subscription_id: shape.shape_uuid } }),
    rotateAlertSecret: ownData({ params: { region_id, subscription_id: shape.shape_uuid } }),
    testAlertSubscription: ownData({ params: { region_id, subscription_id: shape.shape_uuid } }),
    listAlerts: ownData({ params: { region_id, subscription_id: shape.shape_uuid } }),
    replayAlert: ownData({
      params: { region_id, subscription_id: shape.shape_uuid, alert_id: shape.shape_uuid },
    }),
    listSavedViews: ownData({ params }),
    saveView: [
      'refused: operators share no views',
      { params, body: { name: 'Ours', path: 'mobility/maps/live', search: '', is_shared: true } },
    ],
    deleteSavedView: ownData({ params: { region_id, view_id: shape.shape_uuid } }),
    listPermissionHolders: ['empty for operators', { params, query: { key: 'is_admin' } }],
    listIncidentRecipients: ['empty for operators', { params, query: { operator: 'lark' } }],
    listReportSchedules: ownData({ params }),
    listReportRuns: ownData({ params: { region_id, schedule_id: shape.shape_uuid } }),
    getReportPdf: ownData({ params: { region_id, schedule_id: shape.shape_uuid } }),
    startExport: ownData({
      params: { region_id, table: 'shapes' },
      body: { shape_layer_uuid: shape.shape_uuid },
    }),
    listExports: ownData({ params }),
    getBikeshareDownloadUrl: ['only an address', { params, query: { ...fleetPeriod } }],
    getExport: ownData({ params: { region_id, export_id: shape.shape_uuid } }),
    cancelExport: ownData({ params: { region_id, export_id: shape.shape_uuid } }),
    listMonthlyZips: ['none for operators', { params }],
    getBillingSettings: ['the city’s own', { params }],
    getPayerSettings: ['the city’s own', { params: { region_id, operator: 'heron' } }],
    listCharges: ['the city’s own', { params }],
    listReportedQuantities: [
      'what the viewer’s operator reported',
      { params, query: { start_month: '2026-03-01', end_month: '2026-03-01' } },
    ],
    reportQuantities: [
      'quantities of the viewer’s operator',
      {
        params,
        body: { items: [{ operator: 'heron', quantity: 'devices', month: '2026-03-01', value: '1' }] },
      },
    ],
    importQuantities: [
      'quantities of the viewer’s operator',
      { params, body: { csv: 'operator,quantity,month,value\nheron,devices,2026-03,1\n' } },
    ],
    getBillingLogo: ['printed on every invoice', { params }],
    getInvoice: invoices({ params: { region_id, invoice_id: first.invoiceId } }, unknownInvoice),
    getInvoicePdf: invoices(unknownInvoice),
    getInvoiceFacts: invoices({ ...unknownInvoice, isOfSingleTrips: true }),
    getInvoiceFactsParquet: invoices({ ...unknownInvoice, isOfSingleTrips: true }),
    getInvoiceLines: invoices(unknownInvoice),
    exportInvoice: invoices({ ...unknownInvoice, isOfSingleTrips: true }),
    recomputeInvoice: invoices(unknownInvoice),
    getStatement: invoices(
      { params: { region_id, operator: 'lark' }, query: statementPeriod },
      { params: { region_id, operator: 'heron' }, query: statementPeriod },
    ),
    listOperatorCounts: invoices({ params: { region_id, invoice_id: first.invoiceId } }, unknownInvoice),
    addOperatorCount: invoices({ ...unknownInvoice, body: { rows: [{ fee: '1', amount: '1' }] } }),
    importOperatorCount: invoices({ ...unknownInvoice, query: { file_name: 'a.csv' }, body: {} }),
    openDispute: invoices({ ...unknownInvoice, body: { line: 1, reason: 'Twice' } }),
    addDisputeMessage: invoices({ ...unknownDispute, body: { text: 'Why' } }),
    addDisputeFile: invoices({ ...unknownDispute, query: { file_name: 'a.pdf' }, body: {} }),
    getDisputeFile: invoices({ params: { ...unknownDispute.params, message_id: shape.shape_uuid } }),
    withdrawDispute: invoices({ ...unknownDispute, body: {} }),
    listOrganizations: ['names and settings', {}],
    getOrganization: ['names and settings', { params: { organization_id: organizations.alder } }],
    listRegions: ['places and settings', {}],
    getRegion: ['places and settings', { params }],
    getRoutePublishing: ['a switch', { params }],
    getRetentionLimits: ['days before which rows of the region were removed', { params }],
    listLayers: geography({ params }),
    listLayersLegacy: geography({ query: params }),
    getLayer: geography({ params: ofLayer }),
    getLayerTile: geography({ params: { ...ofLayer, z: 11, x: 611, y: 764 } }),
    getShape: geography({ params: ofShape }),
    getShapeHistory: geography({ params: ofShape }),
    listShapes: geography({ params, query: ofLayer }),
    listShapesLegacy: geography({ body: ofLayer }),
    listShapeRows: geography({ params: ofLayer }),
    listLayerHistory: geography({ params: ofLayer }),
    exportLayer: geography({ params: ofLayer, query: { format: 'csv' } }),
    getCensus: geography({ query: ofLayer }),
    getCurbLengths: geography({ params: ofLayer }),
    getCurbWeek: curb({ params }),
    getCurbTile: curb({ params: { region_id, z: 14, x: 4893, y: 6012 }, query: { epoch: 0, v: 0 } }),
    listCurbZonesAt: curb({ params }),
    listCurbRevenue: revenue({ params, query: revenueDays }),
    getCurbRevenueTotals: revenue({ params, query: revenueDays }),
    getFullCurbRevenue: revenue({ params, query: revenueDays }),
    getCurbRevenueByTime: revenue({ params, query: revenueDays }),
    getCurbRevenueByShape: revenue({ params, query: revenueDays }),
    listCurbAccounts: ['no accounts, which are the city’s', { params }],
    createCurbAccount: accounts({
      params,
      body: { account_id: 'acme', name: 'Acme', operator_names: [], vehicles: null },
    }),
    changeCurbAccount: accounts({
      params: { region_id, account_id: 'acme' },
      body: { name: 'Acme', operator_names: [], vehicles: null },
    }),
    deleteCurbAccount: accounts({ params: { region_id, account_id: 'acme' } }),
    getCurbZone: curb({ params: { region_id, curb_zone_id: 'none' } }),
    getCurbHere: curb({ params, query: { lon: -72.5, lat: 43 } }),
    exportCurbZones: curb({ params }),
    getCurbAllocation: curb({ params }),
    queryCurbMetrics: sessions({ params, body: { measures: ['sessions'], ...paidDays } }),
    getCurbMetricsByTime: sessions({ params, query: paidDays }),
    getCurbMetricsByShape: sessions({ params, query: paidDays }),
    getCurbActivity: sessions({ params }),
    listCurbViolations: sessions({ params, query: paidDays }),
    ...listOccupancyCalls(region_id, shape.shape_uuid),
    listCurbZoneSessions: sessions({ params: { region_id, curb_zone_id: 'none' } }),
    listPaymentImports: payments({ params }),
    getPaymentImport: payments(unknownCurbImport),
    listPaymentImportRows: payments(unknownCurbImport),
    downloadPaymentImportRows: payments(unknownCurbImport),
    listTransactions: payments({ params, query: paidDays }),
    getTransactionStatistics: payments({ params, query: paidDays }),
    lookUpTransactionShapes: payments({ params, query: paidDays }),
    downloadTransactions: payments({ params, query: paidDays }),
    getAggregatedCounts: payments({ params, body: { measures: ['revenue'], ...paidDays } }),
    listPaymentLocationLayers: payments({ params }),
    listPaymentLocationLinks: payments({ params }),
    getTransactionDateRange: payments({ params }),
    getInsightsDateRange: payments({ params }),
    listPaymentOperators: payments({ params }),
    listInsightsDownloads: payments({ params, query: paidDays }),
    getLayerCensus: geography({ params: ofLayer }),
    getRouteTile: ['streets without numbers', { params: { region_id, z: 12, x: 1223, y: 1527 } }],
    getLayerCubes: ['whether sums are ready, without hours', { params: ofLayer }],
    listLayerCubes: ['whether sums are ready, without hours', { params }],
    listShapeDependents: published({ params: ofShape }),
    layerHasPolicies: published({ params: ofLayer }),
    shapeHasPolicies: published({ params: ofShape }),
    shapeHasCurbPolicies: published({ params: ofShape }),
    listShapePolicies: published({ params: ofShape }),
    getShapeCalendar: published({ params: ofShape }),
    listPotentialRules: published({ params: ofShape }),
    getPolicy: published({ params: policy }),
    getPolicyByConstant: published({ params: policy }),
    getKeptPolicy: published({ params: policy }),
    listPolicyRevisions: published({ params: policy }),
    getMdsPolicies: published({ body: params }),
    getMdsGeographies: published({ body: params }),
    filterCurbPolicies: curb({ params, body: {} }),
    getCurbActivityStatistics: curb({ params, body: {} }),
    getCurbPolicy: curb({ params: { region_id, curb_policy_id: shape.shape_uuid } }),
    listCurbPolicyRevisions: curb({ params: { region_id, curb_policy_id: shape.shape_uuid } }),
    downloadCurbPolicies: curb({ params, query: { format: 'csv' } }),
    downloadPoliciesAndZones: curb({ params }),
    lintCurbPolicy: curb({
      params,
      body: { policy: { name: 'Any', priority: 90, rules: [{ activity: 'parking' }] } },
    }),
    listCurbZoneChoices: curb({ params }),
    findCurbZoneChoices: curb({ params, body: { curb_zone_ids: [shape.shape_uuid] } }),
    listCurbZonesWithin: curb({ params, query: { west: -73, south: 41, east: -72, north: 42 } }),
    lookUpZoneLengths: curb({ params }),
    getCurbSettings: curb({ params }),
    queryOccupancyTarget: pricing({ params, body: { parameters: pricingParameters } }),
    sumOccupancyTarget: pricing({ params, body: { parameters: pricingParameters } }),
    getOccupancyTargetTile: pricing({ params: curbTile, query: pricingTile }),
    queryRateTarget: pricing({ params, body: { scenario: pricingScenario } }),
    sumRateTarget: pricing({ params, body: { scenario: pricingScenario } }),
    getRateTargetTile: pricing({
      params: curbTile,
      query: { ...pricingTile, parameters: JSON.stringify(pricingScenario) },
    }),
    backTestPricing: pricing({ params, body: { parameters: pricingParameters, compared_day: '2026-03-09' } }),
    checkPricingParameters: pricing({ params, body: { parameters: pricingParameters } }),
    getPricingSettings: pricing({ params }),
    listPriceProposals: pricing({ params }),
    getPriceProposal: pricing(unknownProposal),
    listProposalRows: pricing({ ...unknownProposal, body: {} }),
    getEffectReport: pricing(unknownProposal),
    listIssues: issues({ params }),
    listIssueTypes: issues({ params }),
    listIssuePoints: issues({ params }),
    queryIssuesByShape: issues({ params, query: ofLayer }),
    queryIssuesByShapeAndDay: issues({ params, query: ofLayer }),
    downloadIssues: issues({ params }),
    getIssue: issues({ params: { region_id, issue_id: 'none' } }),
    listWeather: issues({ params }),
    getWeather: issues({ params: { region_id, day: '2026-03-04' } }),
    listCurbInventories: curb({ params }),
    listCurbImports: curb({ params }),
    getCurbImport: curb(unknownCurbImport),
    listCurbImportRows: curb(unknownCurbImport),
    downloadCurbImportRows: curb(unknownCurbImport),
    getCurbImportMap: curb(unknownCurbImport),
    listHealthFigures: ['definitions', {}],
    getIncident: [
      'an incident of the viewer’s operator',
      { params: { region_id, incident_id: first.incidentId } },
    ],
  }
}

/** Endpoints that respond with a stream, which are tested separately. */
export const streams = [
  'streamLiveVehicles',
  'streamCurbActivity',
  // The data stored about a viewer contain the times of their calls. Tested in `every-response-is-guarded`.
  'getOwnData',
]

/** Calls about occupancy, counts and calibrations of the curb. */
function listOccupancyCalls(regionId: string, id: string): Record<string, [why: string, ...calls: Call[]]> {
  const params = { region_id: regionId }
  const query = { start_date: '2026-03-01', end_date: '2026-03-09' }
  const tile = { params: { ...params, z: 14, x: 4893, y: 6012 }, query }
  const ofImport = { params: { ...params, import_id: id } }
  const refused = because('refused: occupancy of the curb is of all vehicles')
  return {
    getOccupancy: refused({ params, query }),
    exportOccupancy: refused({ params, query }),
    getOccupancyTile: refused(tile),
    getParkingInsightsTile: refused(tile),
    getParkingInsightsStatistics: refused({ params, query }),
    getParkingInsightsLegend: refused({ params, query }),
    getOccupancyDataTypes: refused({ params }),
    getInsightsDataTypes: refused({ params }),
    listCountImports: refused({ params }),
    getCountImport: refused(ofImport),
    listCountFindings: refused(ofImport),
    listCountPlaces: refused(ofImport),
    listCalibrations: refused({ params }),
  }
}
