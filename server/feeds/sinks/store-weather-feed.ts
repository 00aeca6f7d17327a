import { regionScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { DayWeather } from '#server/weather/day-weather.ts'
import { storeWeather } from '#server/weather/store-weather.ts'
import type { SinkFeed } from './sink-feed.ts'

/** Stores the days of weather feeds (`DayWeather[]`). Idempotent. Returns their number. */
export const storeWeatherDays =
  (state: State) =>
  async (feed: SinkFeed, content: unknown, received: number): Promise<number> => {
    const days = content as readonly DayWeather[]
    await storeWeather(
      state,
      regionScope(feed.organizationId, feed.regionId),
      { regionId: feed.regionId, source: feed.feedId, observed: received, importId: null },
      days,
    )
    return days.length
  }
