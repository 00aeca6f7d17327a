import type { Route } from '#server/http/route.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Mail } from '#server/mail/message.ts'
import type { Facts } from '#server/stores/facts.ts'
import { runAsCaller } from '#server/stores/query-counts.ts'
import type { State } from '#server/stores/state.ts'
import { dayFromNumber, dayNumber } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { regionsWithFeeds } from './health-region.ts'
import { applyMeasures } from './incidents/apply-measures.ts'
import { deliverMails } from './incidents/deliver-mails.ts'
import { lookAtRegion } from './incidents/look-at-region.ts'
import { KeptDays } from './kept-days.ts'
import { healthRoutes } from './routes.ts'

export interface OpenHealth {
  routes: Route[]
  /** Counts of days: what else asks what feeds told shares them. */
  kept: KeptDays
  /** Looks at every region once: incidents open and close, mails are sent. A look that is still under way is waited for instead. */
  look(at: Date): Promise<void>
  /** Looks every five minutes until it is stopped. */
  start(): void
  stop(): Promise<void>
}

const everyMs = 5 * 60_000
/** Days for which counts are kept. */
const keptDays = 460

/** Data health of all regions. */
export function openHealth({
  state,
  facts,
  mail,
  publicUrl,
  log,
  now,
}: {
  state: State
  facts: Facts
  mail: Mail
  publicUrl: string
  log: Log
  now: () => Date
}): OpenHealth {
  const health = { state, facts, kept: new KeptDays(state, facts) }
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setInterval> | null = null
  let isStopped = false

  const lookOnce = async (at: Date): Promise<void> => {
    for (const region of await regionsWithFeeds(state)) {
      if (isStopped) return
      // One region that cannot be looked at does not keep the others from it.
      await lookAtRegion(health, region, at.getTime())
        .then((measures) => applyMeasures(state, region, measures, at))
        .catch((error: unknown) =>
          log('data health', {
            regionId: region.regionId,
            error: error instanceof Error ? error.message : String(error),
          }),
        )
    }
    await deliverMails({ state, mail, publicUrl, log }, at)
    await state
      .as(systemScope)
      .deleteFrom('health_day')
      .where('day', '<', dayFromNumber(dayNumber(at.toISOString().slice(0, 10)) - keptDays))
      .execute()
  }
  const look = (at: Date): Promise<void> =>
    (running ??= runAsCaller('health', () => lookOnce(at)).finally(() => (running = null)))
  const lookNow = (): void =>
    void look(now()).catch((error: unknown) =>
      log('data health', { error: error instanceof Error ? error.message : String(error) }),
    )

  return {
    routes: healthRoutes(health),
    kept: health.kept,
    look,
    start() {
      timer ??= setInterval(lookNow, everyMs)
      lookNow()
    },
    async stop() {
      isStopped = true
      if (timer) clearInterval(timer)
      timer = null
      await running?.catch(() => undefined)
    },
  }
}
