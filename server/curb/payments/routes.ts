import { Readable } from 'node:stream'
import * as linkContract from '#contract/curb-payment-links.ts'
import * as importContract from '#contract/curb-payment-imports.ts'
import * as contract from '#contract/curb-payments.ts'
import { joinList } from '#contract/curb-payments.ts'
import type { Region } from '#contract/regions.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { refuseOperators } from '../sessions/query-curb-metrics.ts'
import { aggregatePayments, listVendors, readPaymentRange } from './analysis/aggregate-payments.ts'
import { streamTransactionsCsv } from './analysis/export-transactions.ts'
import {
  listTransactions,
  listTransactionLocations,
  readTransactionStatistics,
} from './analysis/list-transactions.ts'
import type { PaymentsContext } from './analysis/payment-sums.ts'
import type { CurbIndexes } from '../store/curb-index.ts'
import { linkLocations } from './link-locations.ts'
import { listLocationLayers, listLocations } from './locations.ts'
import {
  deletePayments,
  type ImportingPayments,
  previewPayments,
  queueStep,
  receivePaymentFile,
  startPayments,
} from './manage-payment-imports.ts'
import { findPaymentImport, listPaymentImports, readPaymentImport } from './payment-import-store.ts'
import type { Publishing } from './publish-payments.ts'
import { listReportRows, streamReportCsv } from './payment-report.ts'
import { listLocationLinks } from './suggest-links.ts'

interface PaymentRouteOptions extends ImportingPayments, Publishing {
  publicUrl: string
  indexes: CurbIndexes
}

const createCsvResponse = (lines: AsyncIterable<string>, name: string): RawResponse =>
  new RawResponse(Readable.from(lines), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '_').slice(0, 120)}"`,
  })

/** Declares endpoints for payments: imports, transactions and revenue. Operators have no access. */
export const paymentRoutes = (options: PaymentRouteOptions): Route[] => [
  ...importRoutes(options),
  ...locationRoutes(options),
  ...analysisRoutes(options),
]

/** Finds a region, unless the viewer is one of an operator. */
async function findPaymentRegion(state: State, scope: Scope, regionId: string): Promise<Region> {
  const region = await findRegion(state, scope, regionId)
  refuseOperators(scope)
  return region
}

function importRoutes(options: PaymentRouteOptions): Route[] {
  const { state, facts } = options
  const findImport = async (scope: Scope, params: { region_id: string; import_id: string }) => {
    await findPaymentRegion(state, scope, params.region_id)
    return findPaymentImport(state.as(scope), params.region_id, params.import_id)
  }
  return [
    route(importContract.uploadPaymentFile, (call) => receivePaymentFile(options, call)),
    route(importContract.listPaymentImports, async ({ viewer: { scope }, params, query }) => {
      await findPaymentRegion(state, scope, params.region_id)
      return listPaymentImports(state.as(scope), params.region_id, query)
    }),
    route(importContract.getPaymentImport, async ({ viewer: { scope }, params }) => {
      await findImport(scope, params)
      return readPaymentImport(state.as(scope), params.region_id, params.import_id)
    }),
    route(importContract.previewPaymentImport, (call) => previewPayments(options, call)),
    route(importContract.startPaymentImport, (call) => startPayments(options, call)),
    route(importContract.listPaymentImportRows, async ({ viewer: { scope }, params, query, signal }) => {
      await findImport(scope, params)
      const report = { facts, scope, regionId: params.region_id, importId: params.import_id }
      return listReportRows(report, query, signal)
    }),
    route(importContract.downloadPaymentImportRows, async ({ viewer: { scope }, params, query }) => {
      const row = await findImport(scope, params)
      const report = { facts, scope, regionId: params.region_id, importId: params.import_id }
      return createCsvResponse(streamReportCsv(report, query), `payments_${row.file_name}.csv`)
    }),
    route(importContract.publishPaymentImport, (call) => queueStep(options, call, 'publishing')),
    route(importContract.undoPaymentImport, (call) => queueStep(options, call, 'undoing')),
    route(importContract.deletePaymentImport, (call) => deletePayments(options, call)),
  ]
}

function locationRoutes(options: PaymentRouteOptions): Route[] {
  const { state } = options
  return [
    route(contract.linkPaymentLocation, async ({ viewer: { scope }, params, body }) => {
      const { region_id: regionId, location_id: locationId } = params
      await findPaymentRegion(state, scope, regionId)
      const link = { location_id: locationId, curb_zone_id: body.curb_zone_id }
      await linkLocations(options, scope, regionId, [link])
      const locations = await listLocations(state.as(scope), regionId)
      const location = locations.find((candidate) => candidate.location_id === locationId)
      if (!location) throw new Problem('not_found', 'There is no such location of payments.')
      return location
    }),
    route(linkContract.listPaymentLocationLinks, async ({ viewer: { scope }, params, at }) => {
      const { regionId } = await findPaymentRegion(state, scope, params.region_id)
      return listLocationLinks(state.as(scope), regionId, at)
    }),
    route(linkContract.linkPaymentLocations, async ({ viewer: { scope }, params, body }) => {
      const { regionId } = await findPaymentRegion(state, scope, params.region_id)
      await linkLocations(options, scope, regionId, body.links)
      return { linked: body.links.length }
    }),
    route(contract.listPaymentLocationLayers, async ({ viewer: { scope }, params }) => {
      const { regionId } = await findPaymentRegion(state, scope, params.region_id)
      return listLocationLayers(state.as(scope), regionId)
    }),
  ]
}

function analysisRoutes({ state, facts, publicUrl, indexes }: PaymentRouteOptions): Route[] {
  const sources = { state, facts }
  const openContext = async (
    { scope }: Viewer,
    params: { region_id: string },
    signal: AbortSignal,
  ): Promise<PaymentsContext> => {
    const { regionId } = await findPaymentRegion(state, scope, params.region_id)
    return { scope, regionId, signal }
  }
  return [
    route(contract.listTransactions, async ({ viewer, params, query, signal }) =>
      listTransactions(sources, await openContext(viewer, params, signal), query),
    ),
    route(contract.getTransactionStatistics, async ({ viewer, params, query, signal }) =>
      readTransactionStatistics(sources, await openContext(viewer, params, signal), query),
    ),
    route(contract.lookUpTransactionShapes, async ({ viewer, params, query, signal }) => ({
      locations: await listTransactionLocations(sources, await openContext(viewer, params, signal), query),
    })),
    route(contract.downloadTransactions, async ({ viewer, params, query, signal }) => {
      const context = await openContext(viewer, params, signal)
      const name = `transactions_${context.regionId}_${query.start_date}_${query.end_date}.csv`
      return createCsvResponse(streamTransactionsCsv(sources, context, query), name)
    }),
    route(contract.getAggregatedCounts, async ({ viewer, params, body, signal, at }) => {
      const context = await openContext(viewer, params, signal)
      const index = await indexes.get(viewer.scope, context.regionId)
      return aggregatePayments(sources, { ...context, index, at }, body)
    }),
    ...[contract.getTransactionDateRange, contract.getInsightsDateRange].map((endpoint) =>
      route(endpoint, async ({ viewer, params, signal }) =>
        readPaymentRange(sources, await openContext(viewer, params, signal)),
      ),
    ),
    route(contract.listPaymentOperators, async ({ viewer, params, signal }) =>
      listVendors(sources, await openContext(viewer, params, signal)),
    ),
    route(contract.listInsightsDownloads, async ({ viewer: { scope }, params, query }) => {
      const { regionId } = await findPaymentRegion(state, scope, params.region_id)
      const regionUrl = `${publicUrl}/v2/regions/${encodeURIComponent(regionId)}`
      const search = new URLSearchParams({ ...query, kinds: joinList(contract.paymentKinds) })
      return {
        urls: [
          {
            name: 'transactions.csv',
            url: `${regionUrl}/curb_parking_insights/transactions.csv?${search.toString()}`,
          },
        ],
      }
    }),
  ]
}
