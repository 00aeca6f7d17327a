import { Checkbox, Input, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#contract/regions.ts'
import { listWeather } from '#contract/weather.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { Period } from '#web/filters/period.ts'
import { axisExtras, type AxisExtra, type MapSearch } from '../by-shape/map-search.ts'
import { AddDataHint } from './add-data-hint.tsx'
import { getWeatherByDay, weatherSummary } from './weather-strip.tsx'

type ByDaySearch = Pick<MapSearch, 'under' | 'compare_start_date'>

interface Props {
  region: Region
  period: Period
  search: ByDaySearch
  change: (changes: Pick<MapSearch, 'under'>) => void
  extras?: readonly AxisExtra[]
}

/** Chooses what is shown for each day of the period. The map still shows the entire period. */
export function ByDayField({ region, period, search, change, extras = axisExtras }: Props) {
  const { t } = useTranslation()
  const { under = [] } = search
  const isComparing = search.compare_start_date !== undefined
  const toggle = (extra: AxisExtra, isOn: boolean): void => {
    const otherExtras = under.filter((entry) => entry !== extra)
    change({ under: isOn ? [...otherExtras, extra] : otherExtras })
  }
  return (
    <div role="group" aria-label={t('evaluation:byDay.label')}>
      <Input.Label component="div" aria-hidden="true" mb={6}>
        {t('evaluation:byDay.label')}
      </Input.Label>
      <Stack gap={8}>
        {extras.map((extra) => (
          <div key={extra}>
            <Checkbox
              label={t(`evaluation:time.${extra}`)}
              checked={under.includes(extra)}
              disabled={isComparing}
              onChange={(event) => toggle(extra, event.currentTarget.checked)}
            />
            {extra === 'weather' && !isComparing ? <WeatherNote region={region} period={period} /> : null}
          </div>
        ))}
      </Stack>
      {isComparing ? <Input.Description mt={4}>{t('evaluation:byDay.comparing')}</Input.Description> : null}
    </div>
  )
}

/** A summary of the weather in the period, or how to add weather. */
function WeatherNote({ region, period }: { region: Region; period: Period }) {
  const { t } = useTranslation()
  const { data } = useEndpointQuery(listWeather, { params: { region_id: region.regionId }, query: period })
  const weather = useMemo(
    () =>
      data
        ? getWeatherByDay(
            data.items.map(({ day }) => day),
            data.items,
            region.isMetric,
          )
        : null,
    [data, region.isMetric],
  )
  if (!weather) return null
  return (
    <Input.Description mt={4}>
      {weather.isEmpty ? (
        <>
          {t('evaluation:time.noWeather')} <AddDataHint regionId={region.regionId} extra="weather" />
        </>
      ) : (
        weatherSummary(t, weather)
      )}
    </Input.Description>
  )
}
