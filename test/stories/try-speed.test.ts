import { it } from 'vitest'
import * as contract from '../../contract/curb-imports.ts'
import { ask, openTestApp } from '../app.ts'
import { makeRegions, regions } from '../city.ts'
it('speed', async () => {
const app = await openTestApp()
const city = await makeRegions(app)
const region_id = 'alder'
const { lon, lat } = regions.alder
const n = 100_000
const line = (i: number) => ({ type: 'LineString', coordinates: [0, 1, 2].map((k) => [lon - 0.3 + (i % 1000) * 0.0005 + k * 0.0001, lat - 0.2 + Math.floor(i / 1000) * 0.001]) })
const acts = ['parking', 'no standing', 'loading', 'no parking']
const curblr = JSON.stringify({ manifest: { timeZone: 'America/New_York', currency: 'USD', priorityHierarchy: ['a', 'b', 'c', 'd'] }, type: 'FeatureCollection', features: Array.from({ length: n }, (_, i) => ({ type: 'Feature', geometry: line(i), properties: { location: { shstRefId: 'r' + i, sideOfStreet: 'right', shstLocationStart: 1, shstLocationEnd: 50, streetName: 'Street ' + (i % 1000) }, regulations: acts.map((activity, k) => ({ rule: { activity, priorityCategory: 'abcd'[k], maxStay: 30 * (1 + ((i + k) % 8)) }, userClasses: k === 2 ? [{ classes: ['truck'] }] : [], timeSpans: [{ daysOfWeek: { days: ['mo', 'tu', 'we', 'th', 'fr'] }, timesOfDay: [{ from: `${String(6 + k * 4).padStart(2, '0')}:00`, to: `${10 + k * 4 > 23 ? 23 : 10 + k * 4}:00` }] }], payment: { rates: k === 0 ? [{ fees: [2], durations: [60] }] : [] } })) } })) })
const cds = JSON.stringify({ version: '1.1', time_zone: 'America/New_York', currency: 'USD', data: { policies: Array.from({ length: 2000 }, (_, i) => ({ curb_policy_id: 'p' + i, published_date: 1.7e12, priority: i % 90, rules: [{ activity: 'parking', max_stay: 10 + i }], time_spans: [{ days_of_week: ['mon'], time_of_day_start: '08:00', time_of_day_end: '18:00' }] })), zones: Array.from({ length: n }, (_, i) => ({ curb_zone_id: 'z' + i, geometry: line(i), curb_policy_ids: [0, 1, 2, 3].map((k) => 'p' + ((i * 4 + k) % 2000)), published_date: 1.7e12, last_updated_date: 1.7e12, start_date: 1.7e12, street_name: 'Street ' + (i % 1000), street_side: 'N', length: 5000 })) } })
for (const [kind, text] of [['curblr', curblr], ['cds', cds]] as const) {
  const inv = await ask(app, city.admin, contract.createCurbInventory, { params: { region_id }, body: { name: kind, kind } })
  const bytes = Buffer.from(text)
  const sent = await ask(app, city.admin, contract.uploadCurbFile, { params: { region_id, inventory_id: inv.inventory_id }, query: { file_name: kind }, body: bytes })
  const start = Date.now()
  let peak = 0
  for (;;) {
    peak = Math.max(peak, process.memoryUsage().rss)
    const found = await ask(app, city.admin, contract.getCurbImport, { params: { region_id, import_id: sent.import_id } })
    if (found.status !== 'staging') {
      const s = (Date.now() - start) / 1000
      console.log(kind, (bytes.length / 1e6).toFixed(0) + ' MB', found.status, found.problem, JSON.stringify(found.outcomes), s.toFixed(1) + ' s', Math.round(n / s) + ' segments/s', 'peak rss', Math.round(peak / 1e6))
      break
    }
    await new Promise((r) => setTimeout(r, 250))
  }
}
await app.close()

}, 400000)
