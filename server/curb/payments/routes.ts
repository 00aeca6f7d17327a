import { Readable } from 'node:stream'
import * as linkContract from '#contract/curb-payment-links.ts'
import * as importContract from '#contract/curb-payment-imports.ts'
import * as contract from '#contract/curb-payments.ts'
import { csvLine } from '#contract/csv.ts'
import type { PaymentImportRow } from '#contract/curb-payment-imports.ts'
import { joinList } from '#contract/curb-payments.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { refuseOperators } from '../sessions/query-curb-metrics.ts'
import { aggregatePayments, paymentRange } from './analysis/aggregate-payments.ts'
import {
  listTransactionsOf,
  transactionLocations,
  transactionsCsv,
  transactionStatistics,
} from './analysis/list-transactions.ts'
import type { CurbIndexes } from '../store/curb-index.ts'
import { zoneLabel } from '../store/zone-label.ts'
import { linkLocations } from './link-locations.ts'
import { listLocations } from './locations.ts'
import {
  deletePayments,
  type ImportingPayments,
  previewPayments,
  queueStep,
  receivePaymentFile,
  startPayments,
} from './manage-payment-imports.ts'
import { findPaymentImport, listPaymentImportsOf, readPaymentImport } from './payment-import-store.ts'
import type { Publishing } from './publish-payments.ts'
import { reportRows } from './queries-import.ts'
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

const rowsPerPart = 5000

/** Payments of a region: their imports, the Transactions and Revenue pages. Never for operators. */
export function paymentRoutes(options: Options): Route[] {
  const { state, facts, publicUrl, indexes } = options
  const sources = { state, facts }
  const regionOf = async (scope: Scope, regionId: string) => {
    const region = await findRegion(state, scope, regionId)
    refuseOperators(scope)
    return region
  }
  const importOf = async (scope: Scope, regionId: string, importId: string) => {
    await regionOf(scope, regionId)
    return findPaymentImport(state.as(scope), regionId, importId)
  }
  const reportColumns = sql`row, code, effect, message, source`
  type ReportRow = Omit<PaymentImportRow, 'row'> & { row: string }
  async function* reportCsv(
    scope: Scope,
    regionId: string,
    importId: string,
    filter: { code?: string | undefined; effect?: string | undefined },
  ): AsyncGenerator<string> {
    yield `${csvLine(['row', 'reason', 'effect', 'message', 'source'])}\r\n`
    for (let offset = 0; ; offset += rowsPerPart) {
      const rows = await facts.rows<ReportRow>(
        scope,
        sql`select ${reportColumns} from ${reportRows(regionId, importId, filter)} order by row, code limit ${bind('UInt32', rowsPerPart)} offset ${bind('UInt64', offset)}`,
      )
      if (!rows.length) return
      yield rows
        .map(
          ({ row, code, effect, message, source }) =>
            `${csvLine([Number(row), code, effect, message, source])}\r\n`,
        )
        .join('')
    }
  }
  return [
    route(importContract.uploadPaymentFile, ({ viewer, params, query, body, at }) =>
      receivePaymentFile(options, viewer, params.region_id, query, body, at),
    ),
    route(importContract.listPaymentImports, async ({ viewer: { scope }, params, query }) => {
      await regionOf(scope, params.region_id)
      return listPaymentImportsOf(state.as(scope), params.region_id, query)
    }),
    route(importContract.getPaymentImport, async ({ viewer: { scope }, params }) => {
      await importOf(scope, params.region_id, params.import_id)
      return readPaymentImport(state.as(scope), params.region_id, params.import_id)
    }),
    route(importContract.previewPaymentImport, ({ viewer, params, body, at }) =>
      previewPayments(options, viewer, params.region_id, params.import_id, body.mapping, at),
    ),
    route(importContract.startPaymentImport, ({ viewer, params, body, at }) =>
      startPayments(options, viewer, params.region_id, params.import_id, body.mapping, at),
    ),
    route(importContract.listPaymentImportRows, async ({ viewer: { scope }, params, query, signal }) => {
      await importOf(scope, params.region_id, params.import_id)
      const { page, size, ...filter } = query
      const from = reportRows(params.region_id, params.import_id, filter)
      const [rows, [count]] = await Promise.all([
        facts.rows<ReportRow>(
          scope,
          sql`select ${reportColumns} from ${from} order by row, code limit ${bind('UInt32', size)} offset ${bind('UInt64', (page - 1) * size)}`,
          { signal },
        ),
        facts.rows<{ total: string }>(scope, sql`select toString(count()) as total from ${from}`, { signal }),
      ])
      const items = rows.map((row) => ({ ...row, row: Number(row.row) }))
      return { items, total: Number(count?.total ?? 0), page, size }
    }),
    route(importContract.downloadPaymentImportRows, async ({ viewer: { scope }, params, query }) => {
      const row = await importOf(scope, params.region_id, params.import_id)
      return csv(reportCsv(scope, params.region_id, params.import_id, query), `payments_${row.file_name}.csv`)
    }),
    route(importContract.publishPaymentImport, ({ viewer, params }) =>
      queueStep(options, viewer, params.region_id, params.import_id, 'publishing'),
    ),
    route(importContract.undoPaymentImport, ({ viewer, params }) =>
      queueStep(options, viewer, params.region_id, params.import_id, 'undoing'),
    ),
    route(importContract.deletePaymentImport, ({ viewer, params }) =>
      deletePayments(options, viewer, params.region_id, params.import_id),
    ),
    route(contract.linkPaymentLocation, async ({ viewer: { scope }, params, body }) => {
      await regionOf(scope, params.region_id)
      const { region_id: regionId, location_id: id } = params
      await linkLocations(options, scope, regionId, [{ location_id: id, curb_zone_id: body.curb_zone_id }])
      const location = (await listLocations(state.as(scope), regionId)).find(
        (each) => each.location_id === id,
      )
      if (!location) throw new Problem('not_found', 'There is no such location of payments.')
      return location
    }),
    route(linkContract.listPaymentLocationLinks, async ({ viewer: { scope }, params, at }) => {
      const { regionId } = await regionOf(scope, params.region_id)
      return listLocationLinks(state.as(scope), regionId, at)
    }),
    route(linkContract.linkPaymentLocations, async ({ viewer: { scope }, params, body }) => {
      const { regionId } = await regionOf(scope, params.region_id)
      await linkLocations(options, scope, regionId, body.links)
      return { linked: body.links.length }
    }),
    route(contract.listTransactions, async ({ viewer: { scope }, params, query, signal }) => {
      const { regionId } = await regionOf(scope, params.region_id)
      return listTransactionsOf(sources, { scope, regionId, signal }, query)
    }),
    route(contract.getTransactionStatistics, async ({ viewer: { scope }, params, query, signal }) => {
      const { regionId } = await regionOf(scope, params.region_id)
      return transactionStatistics(sources, { scope, regionId, signal }, query)
    }),
    route(contract.lookUpTransactionShapes, async ({ viewer: { scope }, params, query, signal }) => {
      const { regionId } = await regionOf(scope, params.region_id)
      return { locations: await transactionLocations(sources, { scope, regionId, signal }, query) }
    }),
    route(contract.downloadTransactions, async ({ viewer: { scope }, params, query, signal }) => {
      const { regionId } = await regionOf(scope, params.region_id)
      const name = `transactions_${regionId}_${query.start_date}_${query.end_date}.csv`
      return csv(transactionsCsv(sources, { scope, regionId, signal }, query), name)
    }),
    route(contract.getAggregatedCounts, async ({ viewer: { scope }, params, body, signal, at }) => {
      const { regionId } = await regionOf(scope, params.region_id)
      const index = await indexes.get(scope, regionId)
      return aggregatePayments(sources, { scope, regionId, index, signal, at }, body)
    }),
    route(contract.listPaymentLocationLayers, async ({ viewer: { scope }, params }) => {
      const { regionId } = await regionOf(scope, params.region_id)
      const locations = await listLocations(state.as(scope), regionId)
      const ids = [...new Set(locations.flatMap(({ curb_zone_id: id }) => (id === null ? [] : [id])))]
      const zones = ids.length
        ? await state
            .as(scope)
            .selectFrom('curb_zone')
            .select(['curb_zone_id', 'record', 'street_name', 'street_side', 'geometry'])
            .where('region_id', '=', regionId)
            .where('curb_zone_id', 'in', ids)
            .orderBy('curb_zone_id')
            .execute()
        : []
      return {
        locations,
        zones: zones.map(({ curb_zone_id, record, street_name, street_side, geometry }) => ({
          curb_zone_id,
          name: zoneLabel({ id: curb_zone_id, streetName: street_name, side: street_side, record }),
          geometry: geometry as never,
        })),
      }
    }),
    ...[contract.getTransactionDateRange, contract.getInsightsDateRange].map((endpoint) =>
      route(endpoint, async ({ viewer: { scope }, params, signal }) => {
        const { regionId } = await regionOf(scope, params.region_id)
        return paymentRange(sources, { scope, regionId, signal })
      }),
    ),
    route(contract.listPaymentOperators, async ({ viewer: { scope }, params, signal }) => {
      const { regionId } = await regionOf(scope, params.region_id)
      const [row] = await facts.rows<{ vendors: string[]; types: string[] }>(
        scope,
        sql`select arraySort(groupUniqArray(toString(vendor))) as vendors, arraySort(groupUniqArray(toString(payment_type))) as types
          from ${latest('curb_payment_hours')} where region_id = ${bind('String', regionId)} and basis = 'paid'`,
        { signal },
      )
      return { vendors: row?.vendors ?? [], payment_types: row?.types ?? [] }
    }),
    route(contract.listInsightsDownloads, async ({ viewer: { scope }, params, query }) => {
      const { regionId } = await regionOf(scope, params.region_id)
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
