import type { Language } from '#contract/identity.ts'
import { type MeasureKey, measures, type MetricDimension } from '#contract/metrics.ts'
import { vehicleTypeTexts } from '#contract/mobility.ts'
import { isFullDay } from '#contract/period.ts'
import type { ReportFilters, ScheduledReport } from '#contract/report-schedules.ts'
import { englishNames, spanishMeasures } from './measure-names.ts'

type Names<Key extends string> = Readonly<Record<Key, string>>

/** The texts of report mails and PDFs in one language. */
export interface ReportTexts {
  locale: string
  titles: Names<ScheduledReport>
  measures: Readonly<Record<MeasureKey, { name: string; definition: string }>>
  /** Column headers of dimensions. */
  groups: Partial<Names<MetricDimension>>
  /** Names of dimension values; values without a name are shown unchanged. */
  keys: Readonly<Record<string, string>>
  weekdays: readonly string[]
  byDay: (measure: string) => string
  period: (first: string, last: string) => string
  comparedWith: (period: string) => string
  onlyOperators: (operators: readonly string[]) => string
  allOperators: string
  filteredBy: (filters: string) => string
  columns: readonly [measure: string, now: string, before: string, change: string]
  byGroup: string
  noRows: string
  page: (page: number, pages: number) => string
  data: string
  /** Text about the newest data; its time is in the time zone of the region. */
  newestFact: (time: string | null) => string
  excluded: (trips: number) => string
  method: (lostAfterHours: number, from: string, until: string, timezone: string) => string
  pending: (days: number) => string
  withoutFleet: (operators: string) => string
  coverage: readonly [operator: string, hours: string]
  noCoverage: string
  definitions: string
  version: (version: number) => string
  figure: (name: string, value: string, before: string, change: string) => string
  inPdf: string
  unsubscribe: (url: string) => string
  several: (reports: number, region: string) => string
  /** Columns of Parked Time by District: area, events, events over the limit, their share, mean hours. */
  district: readonly [string, string, string, string, string]
  outside: string
  noLayer: string
}

const english: ReportTexts = {
  locale: 'en-US',
  titles: {
    trip_counts: 'Vehicle & Trip Counts',
    mobility_metrics: 'Mobility Metrics',
    trip_distance: 'Trip Distances',
    trip_duration: 'Trip Durations',
    time_of_day: 'Times and Days',
    trip_distance_by_tech: 'Trip Distance by Tech',
    trip_speed_by_tech: 'Trip Speed by Tech',
    parking_time: 'Parked Time',
    parking_time_by_district: 'Parked Time by District',
    bikeshare_stations: 'Bikeshare Stations',
  },
  measures: Object.fromEntries(
    Object.entries(englishNames).map(([key, name]) => [
      key,
      { name, definition: measures[key as MeasureKey].definition },
    ]),
  ) as ReportTexts['measures'],
  groups: {
    operator: 'Operator',
    vehicle_type: 'Vehicle type',
    propulsion_type: 'Vehicle technology',
    day_of_week: 'Day of the week',
  },
  keys: { '': 'Unknown', ...vehicleTypeTexts },
  weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  byDay: (measure) => `${measure} by day`,
  period: (first, last) => `${first} to ${last}`,
  comparedWith: (period) => `Compared with ${period}.`,
  onlyOperators: (operators) => `Figures of ${operators.join(', ')} only`,
  allOperators: 'Figures of all operators',
  filteredBy: (filters) => `Filtered by ${filters}.`,
  columns: ['Measure', 'This period', 'Period before', 'Change'],
  byGroup: 'By group',
  noRows: 'No data in this period.',
  page: (page, pages) => `Page ${page} of ${pages}`,
  data: 'Data',
  newestFact: (time) => (time === null ? 'No data' : `Data up to ${time}`),
  excluded: (trips) => `Trips excluded from distances, durations and speeds: ${trips}.`,
  method: (hours, from, until, timezone) =>
    `Vehicles without contact for ${hours} hours are not counted. Operating hours ${from} to ${until}, ${timezone}.`,
  pending: (days) => `${days} days are being computed again.`,
  withoutFleet: (operators) =>
    `No vehicles of ${operators} on some days: figures per vehicle leave out these trips.`,
  coverage: ['Operator', 'Hours with data'],
  noCoverage: 'No operator sent data.',
  definitions: 'Definitions',
  version: (version) => `(version ${version}).`,
  figure: (name, value, before, change) => `${name}: ${value} (before: ${before}, change: ${change})`,
  inPdf: 'All figures and their definitions are in the attached PDF.',
  unsubscribe: (url) => `Stop receiving this report: ${url}`,
  several: (reports, region) => `${reports} reports for ${region}`,
  district: ['Area', 'Parking events', 'Over 24 hours', 'Share over 24 hours', 'Mean parked time'],
  outside: 'Outside all areas',
  noLayer: 'The region has no layer of areas.',
}

const spanish: ReportTexts = {
  locale: 'es-US',
  titles: {
    trip_counts: 'Conteo de vehículos y viajes',
    mobility_metrics: 'Métricas de movilidad',
    trip_distance: 'Distancias de los viajes',
    trip_duration: 'Duraciones de los viajes',
    time_of_day: 'Horas y días',
    trip_distance_by_tech: 'Distancia de los viajes por tecnología',
    trip_speed_by_tech: 'Velocidad de los viajes por tecnología',
    parking_time: 'Tiempo estacionado',
    parking_time_by_district: 'Tiempo estacionado por distrito',
    bikeshare_stations: 'Estaciones de bicicletas',
  },
  measures: spanishMeasures,
  groups: {
    operator: 'Operador',
    vehicle_type: 'Tipo de vehículo',
    propulsion_type: 'Tecnología del vehículo',
    day_of_week: 'Día de la semana',
  },
  keys: {
    '': 'Desconocida',
    bicycle: 'Bicicleta eléctrica',
    pedal_bicycle: 'Bicicleta de pedal',
    car: 'Automóvil',
    moped: 'Ciclomotor',
    scooter: 'Monopatín',
    scooter_standing: 'Monopatín de pie',
    delivery_robot: 'Robot de reparto',
    scooter_seated: 'Monopatín con asiento',
    other: 'Otro',
    human: 'humana',
    electric_assist: 'asistencia eléctrica',
    electric: 'eléctrica',
    hybrid: 'híbrida',
    combustion: 'combustión',
  },
  weekdays: ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'],
  byDay: (measure) => `${measure} por día`,
  period: (first, last) => `del ${first} al ${last}`,
  comparedWith: (period) => `En comparación con el período ${period}.`,
  onlyOperators: (operators) => `Solo cifras de ${operators.join(', ')}`,
  allOperators: 'Cifras de todos los operadores',
  filteredBy: (filters) => `Filtrado por ${filters}.`,
  columns: ['Métrica', 'Este período', 'Período anterior', 'Cambio'],
  byGroup: 'Por grupo',
  noRows: 'No hay datos en este período.',
  page: (page, pages) => `Página ${page} de ${pages}`,
  data: 'Datos',
  newestFact: (time) => (time === null ? 'Sin datos' : `Datos hasta ${time}`),
  excluded: (trips) => `Viajes excluidos de distancias, duraciones y velocidades: ${trips}.`,
  method: (hours, from, until, timezone) =>
    `No cuentan los vehículos sin señal durante ${hours} horas. Horario de servicio de ${from} a ${until}, ${timezone}.`,
  pending: (days) => `${days} días se están calculando de nuevo.`,
  withoutFleet: (operators) =>
    `Sin vehículos de ${operators} en algunos días: las cifras por vehículo no incluyen esos viajes.`,
  coverage: ['Operador', 'Horas con datos'],
  noCoverage: 'Ningún operador envió datos.',
  definitions: 'Definiciones',
  version: (version) => `(versión ${version}).`,
  figure: (name, value, before, change) => `${name}: ${value} (antes: ${before}, cambio: ${change})`,
  inPdf: 'Todas las cifras y sus definiciones están en el PDF adjunto.',
  unsubscribe: (url) => `Dejar de recibir este informe: ${url}`,
  several: (reports, region) => `${reports} informes de ${region}`,
  district: [
    'Área',
    'Estacionamientos',
    'Más de 24 horas',
    'Porcentaje de más de 24 horas',
    'Tiempo promedio estacionado',
  ],
  outside: 'Fuera de todas las áreas',
  noLayer: 'La región no tiene ninguna capa de áreas.',
}

export const reportTexts: Readonly<Record<Language, ReportTexts>> = { 'en-US': english, es: spanish }

/** Returns the texts in a language, with a parking limit (minutes) instead of the 24 hours in their names. */
export function getTextsWithLimit(language: Language, minutes: number): ReportTexts {
  const texts = reportTexts[language]
  const hours = new Intl.NumberFormat(texts.locale).format(minutes / 60)
  const replaceLimit = (text: string): string => text.replace('24', hours)
  const [area, events, overLimit, share, mean] = texts.district
  const { name, definition } = texts.measures.parking_over_limit
  return {
    ...texts,
    measures: { ...texts.measures, parking_over_limit: { name: replaceLimit(name), definition } },
    district: [area, events, replaceLimit(overLimit), replaceLimit(share), mean],
  }
}

/** Returns vehicle types, weekdays and hours of a report as a sentence; empty for all of them. */
export function describeFilters(
  { vehicle_types: types, days, hour_filters: hours }: ReportFilters,
  { keys, weekdays, filteredBy }: ReportTexts,
): string {
  const filters = [
    types.map((type) => keys[type] ?? type),
    days.map((day) => weekdays[day - 1] ?? ''),
    isFullDay(hours) ? [] : [`${hours[0]}:00–${hours[1] + 1}:00`],
  ]
  const text = filters.flatMap((values) => (values.length ? values.join(', ') : [])).join('; ')
  return text && filteredBy(text)
}
