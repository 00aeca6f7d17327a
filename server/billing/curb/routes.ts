import * as contract from '#contract/curb-revenue.ts'
import { csvLine } from '#contract/csv.ts'
import { deleteAccount, listAccounts, saveAccount } from '#server/curb/revenue/curb-accounts.ts'
import { SessionFeeCache } from '#server/curb/revenue/session-fee-cache.ts'
import type { CurbSessions } from '#server/curb/sessions/curb-sessions.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import { groupRows, listRevenue, type RevenueSources, computeRevenueTotals } from './revenue.ts'

const columns = [
  'kind',
  'month',
  'curb_zone_id',
  'zone_name',
  'curb_policy_id',
  'policy_name',
  'payer',
  'payer_name',
  'quantity',
  'amount',
] as const

export function curbRevenueRoutes({
  sessions,
  ...stores
}: Omit<RevenueSources, 'sessionFees'> & { sessions: Pick<CurbSessions, 'hashVehicle'> }): Route[] {
  const sources: RevenueSources = { ...stores, sessionFees: new SessionFeeCache() }
  const { state } = sources
  const hash = sessions.hashVehicle.bind(sessions)
  return [
    route(contract.listCurbRevenue, async (call) => {
      const { page, size } = call.query
      const { currency, items } = await listRevenue(sources, call)
      const pageItems = items.slice((page - 1) * size, page * size)
      return { currency, items: pageItems, total: items.length, page, size }
    }),
    route(contract.getCurbRevenueTotals, (call) => computeRevenueTotals(sources, call)),
    route(contract.getFullCurbRevenue, async (call) => {
      const { format } = call.query
      const { currency, items } = await listRevenue(sources, call)
      const isCsv = format ? format === 'csv' : call.headers.get('accept')?.includes('text/csv')
      if (!isCsv) return { currency, items }
      const rows = items.map((row) => csvLine(columns.map((name) => row[name] ?? '')))
      return new RawResponse(Buffer.from(`${[csvLine(columns), ...rows].join('\r\n')}\r\n`), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="fees-and-revenue.csv"',
      })
    }),
    route(contract.getCurbRevenueByTime, async (call) => {
      const { currency, items } = await listRevenue(sources, call)
      return { currency, items: groupRows(items, currency, ({ month, kind }) => ({ month, kind })) }
    }),
    route(contract.getCurbRevenueByShape, async (call) => {
      const { currency, items, index } = await listRevenue(sources, call)
      const itemsOfZones = items.filter(({ curb_zone_id: zone }) => zone !== null)
      return {
        currency,
        items: groupRows(itemsOfZones, currency, ({ curb_zone_id: zone, zone_name, kind }) => ({
          shape_uuid: index.findZone(zone ?? '')?.shapeId ?? null,
          curb_zone_id: zone ?? '',
          zone_name,
          kind,
        })).map((item) => ({ ...item, geometry: index.findZone(item.curb_zone_id)?.geometry ?? null })),
      }
    }),
    route(contract.listCurbAccounts, ({ viewer, params }) => listAccounts(state, viewer, params.region_id)),
    route(contract.createCurbAccount, ({ viewer, params, body: { account_id, ...fields }, at }) =>
      saveAccount(
        state,
        { viewer, params: { ...params, account_id }, body: fields, at },
        { isNew: true, hash },
      ),
    ),
    route(contract.changeCurbAccount, (call) => saveAccount(state, call, { isNew: false, hash })),
    route(contract.deleteCurbAccount, ({ viewer, params }) => deleteAccount(state, viewer, params)),
  ]
}
