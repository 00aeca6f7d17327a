import { Readable } from 'node:stream'
import * as linkContract from '#contract/curb-payment-links.ts'
import * as importContract from '#contract/curb-payment-imports.ts'
import * as contract from '#contract/curb-payments.ts'
import { joinList } from '#contract/curb-payments.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import { refuseOperators } from '../sessions/query-curb-metrics.ts'
import { aggregatePayments, listVendors, paymentRange } from './analysis/aggregate-payments.ts'
import {
  listTransactions,
  transactionLocations,
  transactionsCsv,
  transactionStatistics,
} from './analysis/list-transactions.ts'
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
import { listReportRows, reportCsv } from './payment-report.ts'
import { listLocationLinks } from './suggest-links.ts'

interface Options extends ImportingPayments, Publishing {
  publicUrl: string
  indexes: CurbIndexes
}

const csv = (lines: AsyncIterable<string>, name: string): RawResponse =>
  new RawResponse(Readable.from(lines), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '_').slice(0, 120)}"`,
  })

/** Endpoints for payments: their imports, the Transactions and Revenue pages. Operators have no access. */
export function paymentRoutes(options: Options): Route[] {
  const { state, facts, publicUrl, indexes } = options
  const sources = { state, facts }
  const findPaymentRegion = async (scope: Scope, regionId: string) => {
    const region = await findRegion(state, scope, regionId)
    refuseOperators(scope)
    return region
  }
  const findImport = async (scope: Scope, regionId: string, importId: string) => {
    await findPaymentRegion(scope, regionId)
    return findPaymentImport(state.as(scope), regionId, importId)
  }

  return [
    route(importContract.uploadPaymentFile, ({ viewer, params, query, body, at }) =>
      receivePaymentFile(options, viewer, {
        regionId: params.region_id,
        vendor: query.vendor,
        fileName: query.file_name,
        body,
        at,
      }),
    ),
    route(importContract.listPaymentImports, async ({ viewer: { scope }, params, query }) => {
      await findPaymentRegion(scope, params.region_id)
      return listPaymentImports(state.as(scope), params.region_id, query)
    }),
    route(importContract.getPaymentImport, async ({ viewer: { scope }, params }) => {
      await findImport(scope, params.region_id, params.import_id)
      return readPaymentImport(state.as(scope), params.region_id, params.import_id)
    }),
    route(importContract.previewPaymentImport, ({ viewer, params, body, at }) =>
      previewPayments(options, viewer, {
        regionId: params.region_id,
        importId: params.import_id,
        mapping: body.mapping,
        at,
      }),
    ),
    route(importContract.startPaymentImport, ({ viewer, params, body, at }) =>
      startPayments(options, viewer, {
        regionId: params.region_id,
        importId: params.import_id,
        mapping: body.mapping ?? null,
        at,
      }),
    ),
    route(importContract.listPaymentImportRows, async ({ viewer: { scope }, params, query, signal }) => {
      await findImport(scope, params.region_id, params.import_id)
      return listReportRows(
        { facts, scope, regionId: params.region_id, importId: params.import_id },
        query,
        signal,
      )
    }),
    route(importContract.downloadPaymentImportRows, async ({ viewer: { scope }, params, query }) => {
      const row = await findImport(scope, params.region_id, params.import_id)
      const report = { facts, scope, regionId: params.region_id, importId: params.import_id }
      return csv(reportCsv(report, query), `payments_${row.file_name}.csv`)
    }),
    route(importContract.publishPaymentImport, ({ viewer, params }) =>
      queueStep(options, viewer, { regionId: params.region_id, importId: params.import_id }, 'publishing'),
    ),
    route(importContract.undoPaymentImport, ({ viewer, params }) =>
      queueStep(options, viewer, { regionId: params.region_id, importId: params.import_id }, 'undoing'),
    ),
    route(importContract.deletePaymentImport, ({ viewer, params }) =>
      deletePayments(options, viewer, params.region_id, params.import_id),
    ),
    route(contract.linkPaymentLocation, async ({ viewer: { scope }, params, body }) => {
      await findPaymentRegion(scope, params.region_id)
      const { region_id: regionId, location_id: id } = params
      await linkLocations(options, scope, regionId, [{ location_id: id, curb_zone_id: body.curb_zone_id }])
      const location = (await listLocations(state.as(scope), regionId)).find(
        (each) => each.location_id === id,
      )
      if (!location) throw new Problem('not_found', 'There is no such location of payments.')
      return location
    }),
    route(linkContract.listPaymentLocationLinks, async ({ viewer: { scope }, params, at }) => {
      const { regionId } = await findPaymentRegion(scope, params.region_id)
      return listLocationLinks(state.as(scope), regionId, at)
    }),
    route(linkContract.linkPaymentLocations, async ({ viewer: { scope }, params, body }) => {
      const { regionId } = await findPaymentRegion(scope, params.region_id)
      await linkLocations(options, scope, regionId, body.links)
      return { linked: body.links.length }
    }),
    route(contract.listTransactions, async ({ viewer: { scope }, params, query, signal }) => {
      const { regionId } = await findPaymentRegion(scope, params.region_id)
      return listTransactions(sources, { scope, regionId, signal }, query)
    }),
    route(contract.getTransactionStatistics, async ({ viewer: { scope }, params, query, signal }) => {
      const { regionId } = await findPaymentRegion(scope, params.region_id)
      return transactionStatistics(sources, { scope, regionId, signal }, query)
    }),
    route(contract.lookUpTransactionShapes, async ({ viewer: { scope }, params, query, signal }) => {
      const { regionId } = await findPaymentRegion(scope, params.region_id)
      return { locations: await transactionLocations(sources, { scope, regionId, signal }, query) }
    }),
    route(contract.downloadTransactions, async ({ viewer: { scope }, params, query, signal }) => {
      const { regionId } = await findPaymentRegion(scope, params.region_id)
      const name = `transactions_${regionId}_${query.start_date}_${query.end_date}.csv`
      return csv(transactionsCsv(sources, { scope, regionId, signal }, query), name)
    }),
    route(contract.getAggregatedCounts, async ({ viewer: { scope }, params, body, signal, at }) => {
      const { regionId } = await findPaymentRegion(scope, params.region_id)
      const index = await indexes.get(scope, regionId)
      return aggregatePayments(sources, { scope, regionId, index, signal, at }, body)
    }),
    route(contract.listPaymentLocationLayers, async ({ viewer: { scope }, params }) => {
      const { regionId } = await findPaymentRegion(scope, params.region_id)
      return listLocationLayers(state.as(scope), regionId)
    }),
    ...[contract.getTransactionDateRange, contract.getInsightsDateRange].map((endpoint) =>
      route(endpoint, async ({ viewer: { scope }, params, signal }) => {
        const { regionId } = await findPaymentRegion(scope, params.region_id)
        return paymentRange(sources, { scope, regionId, signal })
      }),
    ),
    route(contract.listPaymentOperators, async ({ viewer: { scope }, params, signal }) => {
      const { regionId } = await findPaymentRegion(scope, params.region_id)
      return listVendors(sources, { scope, regionId, signal })
    }),
    route(contract.listInsightsDownloads, async ({ viewer: { scope }, params, query }) => {
      const { regionId } = await findPaymentRegion(scope, params.region_id)
      const kinds = joinList(contract.paymentKinds)
      const search = new URLSearchParams({ ...query, kinds })
      return {
        urls: [
          {
            name: 'transactions.csv',
            url: `${publicUrl}/v2/regions/${encodeURIComponent(regionId)}/curb_parking_insights/transactions.csv?${search.toString()}`,
          },
        ],
      }
    }),
  ]
}
