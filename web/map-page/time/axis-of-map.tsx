import type { Region } from '#contract/regions.ts'
import type { TimeBucket } from '#contract/spatial.ts'
import { axisExtras, timeBuckets, type AxisExtra, type MapSearch } from '../by-shape/map-search.ts'
import type { Period } from '#web/filters/period.ts'
import type { AxisPlaying } from './axis-playing.ts'
import { IssuesStrip } from './issues-strip.tsx'
import { type AxisArea, TimeAxis } from './time-axis.tsx'
import type { AxisFocus } from './use-axis-focus.ts'
import { WeatherStrip } from './weather-strip.tsx'

type AxisSearch = Pick<MapSearch, 'by' | 'at' | 'under'>

interface Props {
  region: Region
  period: Period
  playing: AxisPlaying
  unitText: string
  unitOne: string
  search: AxisSearch
  change: (part: AxisSearch) => void
  /** The bucket sizes to choose from, and what can be shown below days. */
  offered?: readonly TimeBucket[]
  extras?: readonly AxisExtra[]
  focus?: AxisFocus
  /** The selected area; the axis shows its values instead of those of the whole region. */
  area?: AxisArea | null
}

/** The time axis of a map, with weather and 311 issues of its days as chosen in the panel. */
export function AxisOfMap({
  region,
  period,
  playing,
  unitText,
  unitOne,
  search,
  change,
  offered = timeBuckets,
  extras = axisExtras,
  focus,
  area = null,
}: Props) {
  const under = extras.filter((extra) => search.under?.includes(extra))
  const isDays = playing.playback.by === 'day'
  const shared = { region, period, playing }
  return (
    <TimeAxis
      playing={playing}
      area={area}
      unitText={unitText}
      unitOne={unitOne}
      offered={offered}
      focus={focus}
      onBy={(by: TimeBucket) => change({ by, at: undefined })}
      onClose={() => change({ by: undefined })}
      under={
        isDays && under.length > 0 ? (
          <>
            {under.includes('weather') ? <WeatherStrip {...shared} /> : null}
            {under.includes('issues') ? <IssuesStrip {...shared} /> : null}
          </>
        ) : null
      }
    />
  )
}
