// The first code of the app to run, and without schemas, which take longer to read than the server takes to respond.
import { now } from '#web/data/clock.ts'
import { sendEarly } from '#web/data/early-responses.ts'
import { homeMetricsBody } from '#web/reporting/home-tiles.ts'
import { rememberedUser } from '#web/shell/browser-storage.ts'

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
  const path = `/v2/regions/${regionId}`
  const region = sendEarly('GET', path)
  for (const each of ['users/me', 'users/me/permissions', `organizations/${user.organizationId}`])
    void sendEarly('GET', `/v2/${each}`)
  if (product === 'mobility' && page === 'activity-summary' && search === '')
    void sendCallsOfHome(region, path, at).catch(() => undefined)
}

/** The calls behind the tiles in their default period, the seven days up to yesterday. */
async function sendCallsOfHome(region: Promise<Response>, path: string, at: number): Promise<void> {
  const { timezone } = (await (await region).clone().json()) as { timezone: string }
  const today = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at)
  const daysAgo = (days: number): string =>
    new Date(Date.parse(today) - days * dayMs).toISOString().slice(0, 10)
  const week = (ago: number) => ({ start_date: daysAgo(ago + 6), end_date: daysAgo(ago) })
  const { start_date: first, end_date: last } = week(1)
  void sendEarly('POST', `${path}/metrics/query`, homeMetricsBody(week(1), week(8), true))
  void sendEarly('GET', `${path}/policies/compliance/summary?startDate=${first}&endDate=${last}`)
  void sendEarly('GET', `${path}/fees/summary?start_date=${today.slice(0, 8)}01&end_date=${today}`)
}

sendEarlyCalls(location, now())
