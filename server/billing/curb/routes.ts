import * as contract from '#contract/curb-revenue.ts'
import { csvLine } from '#contract/csv.ts'
import { deleteAccount, listAccounts, saveAccount } from '#server/curb/revenue/curb-accounts.ts'
import { SessionFeeCache } from '#server/curb/revenue/session-fee-cache.ts'
import type { CurbSessions } from '#server/curb/sessions/curb-sessions.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import { groupRows, listRevenue, type RevenueSources, computeRevenueTotals } from './revenue.ts'

const csvColumns = [
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

/** Routes of fees and revenue from curb zones, and of the accounts of those who pay them. */
export function curbRevenueRoutes({
  sessions,
  ...stores
}: Omit<RevenueSources, 'sessionFees'> & { sessions: Pick<CurbSessions, 'hashVehicle'> }): Route[] {
  const sources: RevenueSources = { ...stores, sessionFees: new SessionFeeCache() }
  const { state } = sources
  const hashVehicle = sessions.hashVehicle.bind(sessions)
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
      const lines = items.map((row) => csvLine(csvColumns.map((name) => row[name] ?? '')))
      return new RawResponse(Buffer.from(`${[csvLine(csvColumns), ...lines].join('\r\n')}\r\n`), {
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
      const itemsOfZones = items.filter(({ curb_zone_id: zoneId }) => zoneId !== null)
      return {
        currency,
        items: groupRows(itemsOfZones, currency, ({ curb_zone_id: zoneId, zone_name, kind }) => ({
          shape_uuid: index.findZone(zoneId ?? '')?.shapeId ?? null,
          curb_zone_id: zoneId ?? '',
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
        { isNew: true, hash: hashVehicle },
      ),
    ),
    route(contract.changeCurbAccount, (call) =>
      saveAccount(state, call, { isNew: false, hash: hashVehicle }),
    ),
    route(contract.deleteCurbAccount, ({ viewer, params }) => deleteAccount(state, viewer, params)),
  ]
}
