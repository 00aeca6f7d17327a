// Runs before all other code of the app. It must not import schemas: parsing them takes longer than the
// server's response.
import { now } from '#web/data/clock.ts'
import { sendEarly } from '#web/data/early-responses.ts'
import { homeMetricsBody } from '#web/reporting/home-tiles.ts'
import { rememberedUser, rememberedZone } from '#web/shell/browser-storage.ts'

const dayMs = 86_400_000

/**
 * Sends the first requests of a page early, so that the server works on them while the browser parses the
 * code. The frame or Home makes the same requests later and takes these responses; unused responses are
 * dropped.
 */
export function sendEarlyCalls(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  nowMs: number,
): void {
  const user = rememberedUser()
  const [, regionId, product, page] = pathname.split('/')
  if (!user || !regionId || (product !== 'mobility' && product !== 'curb')) return
  for (const path of ['users/me', 'users/me/permissions', `organizations/${user.organizationId}`])
    sendEarly('GET', `/v2/${path}`)
  sendEarly('GET', `/v2/regions/${regionId}`)
  const timezone = rememberedZone(regionId)
  if (timezone && product === 'mobility' && page === 'activity-summary' && search === '')
    sendHomeCalls(`/v2/regions/${regionId}`, timezone, nowMs)
}

/** Sends the requests of Home's tiles for their default period, the seven days up to yesterday. */
function sendHomeCalls(path: string, timeZone: string, nowMs: number): void {
  const today = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(nowMs)
  const daysAgo = (days: number): string =>
    new Date(Date.parse(today) - days * dayMs).toISOString().slice(0, 10)
  const week = (endDaysAgo: number) => ({
    start_date: daysAgo(endDaysAgo + 6),
    end_date: daysAgo(endDaysAgo),
  })
  const { start_date: first, end_date: last } = week(1)
  sendEarly('POST', `${path}/metrics/query`, homeMetricsBody(week(1), week(8), true))
  sendEarly('GET', `${path}/policies/compliance/summary?startDate=${first}&endDate=${last}`)
  sendEarly('GET', `${path}/fees/summary?start_date=${today.slice(0, 8)}01&end_date=${today}`)
}

sendEarlyCalls(location, now())
