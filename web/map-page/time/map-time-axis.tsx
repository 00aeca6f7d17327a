import { useMemo, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { dayFromNumber, dayNumber } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { TimeBucket } from '#contract/spatial.ts'
import type { Period } from '#web/filters/period.ts'
import { axisExtras, timeBuckets, type AxisExtra, type MapSearch } from '../by-shape/map-search.ts'
import type { AxisPlaying } from './axis-playing.ts'
import { IssuesStrip } from './issues-strip.tsx'
import { Ticks } from './scrubber.tsx'
import styles from './strip.module.css'
import { type AxisArea, TimeAxis } from './time-axis.tsx'
import type { AxisFocus } from './use-axis-focus.ts'
import { WeatherStrip } from './weather-strip.tsx'

type AxisSearch = Pick<MapSearch, 'by' | 'at' | 'under'>

interface Props {
  region: Region
  period: Period
  /** Null if the map shows the entire period. */
  playing: AxisPlaying | null
  unitText: string
  unitSingular: string
  search: AxisSearch
  change: (changes: AxisSearch) => void
  /** Bucket sizes to choose from. */
  offeredBuckets?: readonly TimeBucket[]
  /** What can be shown for each day. */
  extras?: readonly AxisExtra[]
  focus?: AxisFocus
  /** The selected area; the axis shows its values instead of those of the whole region. */
  area?: AxisArea | null
}

/**
 * The time axis of a map during a playback, and strips with the weather and 311 issues of each day, if selected in
 * the panel: below an axis of days, otherwise for the entire period.
 */
export function MapTimeAxis({
  region,
  period,
  playing,
  unitText,
  unitSingular,
  search,
  change,
  offeredBuckets: offered = timeBuckets,
  extras = axisExtras,
  focus,
  area = null,
}: Props) {
  const shownExtras = extras.filter((extra) => search.under?.includes(extra))
  const strips = shownExtras.length > 0 ? { region, period, shownExtras } : null
  const isDays = playing?.playback.by === 'day'
  return (
    <>
      {playing ? (
        <TimeAxis
          playing={playing}
          area={area}
          unitText={unitText}
          unitSingular={unitSingular}
          offered={offered}
          focus={focus}
          onBucketChange={(by: TimeBucket) => change({ by, at: undefined })}
          onClose={() => change({ by: undefined })}
          footer={isDays && strips ? <DayStrips {...strips} playing={playing} /> : null}
        />
      ) : null}
      {strips && !isDays ? <DayStrips {...strips} playing={null} /> : null}
    </>
  )
}

interface DayStripsProps extends Pick<Props, 'region' | 'period' | 'playing'> {
  shownExtras: readonly AxisExtra[]
}

const noSubscription = () => () => {}

/** Weather and 311 issues of each day of a playback, or of the period. */
function DayStrips({ region, period, shownExtras, playing }: DayStripsProps) {
  const { t } = useTranslation()
  const current = useSyncExternalStore(
    playing?.head.subscribe ?? noSubscription,
    () => playing?.head.read() ?? null,
  )
  const { start_date, end_date } = period
  const buckets = playing?.playback.buckets
  const days = useMemo(() => {
    const first = dayNumber(start_date)
    return (
      buckets ??
      Array.from({ length: dayNumber(end_date) - first + 1 }, (_, index) => dayFromNumber(first + index))
    )
  }, [buckets, start_date, end_date])
  const shared = { region, period, days, current }
  const strips = (
    <>
      {shownExtras.includes('weather') ? <WeatherStrip {...shared} /> : null}
      {shownExtras.includes('issues') ? <IssuesStrip {...shared} /> : null}
    </>
  )
  return playing ? (
    strips
  ) : (
    <section className={styles['period']} aria-label={t('evaluation:byDay.label')}>
      {strips}
      <Ticks by="day" buckets={days} />
    </section>
  )
}
