import type { Route } from '#server/http/route.ts'
import { oauthTokens } from './auth/oauth-tokens.ts'
import type { Feeds } from './feeds.ts'
import { openPuller, type Puller } from './pull-feeds.ts'
import { removeOldRaw } from './raw/remove-old-raw.ts'
import { feedRoutes } from './routes.ts'

/** Feeds of all regions: pulled from start() to stop(). */
export interface OpenFeeds extends Puller {
  routes: Route[]
}

const hourMs = 3_600_000

/** `alone`: this process owns the state store, so that every lease of another is a dead one. */
export function openFeeds(feeds: Feeds & { alone?: boolean }): OpenFeeds {
  const { state, dataDir, log, now } = feeds
  const tokens = oauthTokens(feeds.fetch, now)
  const puller = openPuller(feeds, tokens, { alone: feeds.alone ?? false })
  let timer: ReturnType<typeof setInterval> | null = null
  let cleaned = ''
  const clean = (): void => {
    const day = now().toISOString().slice(0, 10)
    if (day === cleaned) return
    cleaned = day
    removeOldRaw(state, dataDir, now()).then(
      (removed) => removed > 0 && log('raw input removed', { days: removed }),
      (error: unknown) =>
        log('raw input could not be removed', {
          error: error instanceof Error ? error.message : String(error),
        }),
    )
  }
  return {
    ...puller,
    routes: feedRoutes(feeds, tokens, puller),
    start() {
      puller.start()
      timer ??= setInterval(clean, hourMs)
      clean()
    },
    async stop() {
      if (timer) clearInterval(timer)
      timer = null
      await puller.stop()
    },
  }
}
