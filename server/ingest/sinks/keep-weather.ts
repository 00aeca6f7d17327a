import { regionScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { DayWeather } from '#server/weather/day-weather.ts'
import { storeWeather } from '#server/weather/store-weather.ts'
import type { SunkFeed } from './sunk-feed.ts'

/** Keeps the days that weather feeds bring. Answers how many records it took; the same again changes nothing. */
export const keepWeather =
  (state: State) =>
  async (feed: SunkFeed, other: unknown, received: number): Promise<number> => {
    const days = other as readonly DayWeather[]
    await storeWeather(
      state,
      regionScope(feed.organizationId, feed.regionId),
      { regionId: feed.regionId, source: feed.feedId, observed: received, importId: null },
      days,
    )
    return days.length
  }
