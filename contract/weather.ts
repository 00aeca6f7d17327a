import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LocalDay } from './period.ts'

/** Sources of a day's weather, most reliable first: measured by a station, modeled afterward, forecast. */
export const weatherKinds = ['measured', 'modelled', 'forecast'] as const
export const WeatherKind = z.enum(weatherKinds)
export type WeatherKind = z.infer<typeof WeatherKind>

/** Units of the figures of a day. */
export const weatherUnits = {
  precipitation_mm: 'mm',
  snowfall_mm: 'mm',
  snow_depth_mm: 'mm',
  temperature_max_c: '°C',
  temperature_min_c: '°C',
  temperature_mean_c: '°C',
  wind_max_kmh: 'km/h',
} as const
export type WeatherFigure = keyof typeof weatherUnits
export const weatherFigures = Object.keys(weatherUnits) as WeatherFigure[]

const figure = z.number().nullable()

/** Weather of one local day; null values are unknown. */
export const WeatherDay = z
  .object({
    day: LocalDay,
    precipitation_mm: figure,
    snowfall_mm: figure,
    snow_depth_mm: figure,
    temperature_max_c: figure,
    temperature_min_c: figure,
    temperature_mean_c: figure,
    wind_max_kmh: figure,
    kind: WeatherKind,
    /** Name of the station or the service. */
    place: z.string(),
    /** Feed that reported it; `files:` with the station for imported files. */
    source: z.string(),
  })
  .meta({ id: 'WeatherDay' })
export type WeatherDay = z.infer<typeof WeatherDay>

const units = z.record(z.string(), z.string())
const regionParams = z.object({ region_id: z.string() })

export const listWeather = endpoint({
  route: 'GET /regions/{region_id}/weather',
  permission: 'signed_in',
  summary: 'Weather of a region by local day, both ends inclusive; the best of several sources of a day',
  request: {
    params: regionParams,
    query: z.object({ start_date: LocalDay.optional(), end_date: LocalDay.optional() }),
  },
  response: z.object({ units, items: z.array(WeatherDay) }),
})
export const getWeather = endpoint({
  route: 'GET /regions/{region_id}/weather/{day}',
  permission: 'signed_in',
  summary: 'Weather of one local day',
  request: { params: regionParams.extend({ day: LocalDay }) },
  response: WeatherDay.extend({ units }),
})
