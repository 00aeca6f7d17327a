// The first code of the app to run, and without schemas, which take longer to read than the server takes to respond.
import { now } from '#web/data/clock.ts'
import { sendEarly } from '#web/data/early-responses.ts'
import { homeMetricsBody } from '#web/reporting/home-tiles.ts'
import { rememberedUser, rememberedZone } from '#web/shell/browser-storage.ts'

const dayMs = 86_400_000

/**
 * Sends the first calls of a page, so that the server works on them while the browser reads the code of the
 * app. Each is one that the frame or Home makes too, with the same text: a call that nobody makes is dropped.
 */
export function sendEarlyCalls(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  at: number,
): void {
  const user = rememberedUser()
  const [, regionId, product, page] = pathname.split('/')
  if (!user || !regionId || (product !== 'mobility' && product !== 'curb')) return
  for (const each of ['users/me', 'users/me/permissions', `organizations/${user.organizationId}`])
    sendEarly('GET', `/v2/${each}`)
  sendEarly('GET', `/v2/regions/${regionId}`)
  const zone = rememberedZone(regionId)
  if (zone && product === 'mobility' && page === 'activity-summary' && search === '')
    sendCallsOfHome(`/v2/regions/${regionId}`, zone, at)
}

/** The calls behind the tiles in their default period, the seven days up to yesterday. */
function sendCallsOfHome(path: string, timeZone: string, at: number): void {
  const today = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at)
  const daysAgo = (days: number): string =>
    new Date(Date.parse(today) - days * dayMs).toISOString().slice(0, 10)
  const week = (ago: number) => ({ start_date: daysAgo(ago + 6), end_date: daysAgo(ago) })
  const { start_date: first, end_date: last } = week(1)
  sendEarly('POST', `${path}/metrics/query`, homeMetricsBody(week(1), week(8), true))
  sendEarly('GET', `${path}/policies/compliance/summary?startDate=${first}&endDate=${last}`)
  sendEarly('GET', `${path}/fees/summary?start_date=${today.slice(0, 8)}01&end_date=${today}`)
}

sendEarlyCalls(location, now())
