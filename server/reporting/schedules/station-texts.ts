import type { Language } from '#contract/identity.ts'

export type Figure = 'stations' | 'empty' | 'full' | 'runs' | 'beyond' | 'starts' | 'coverage'

/** The window of a day, and minutes of tolerance and of known time after a poll. */
interface MethodParameters {
  from: string
  until: string
  timezone: string
  tolerance: number
  known: number
}

interface StationTexts {
  figures: Readonly<Record<Figure, { name: string; definition: string }>>
  /** Station, operator, minutes empty, full and beyond the tolerance. */
  columns: readonly [string, string, string, string, string]
  chart: string
  empty: string
  full: string
  method: (parameters: MethodParameters) => string
}

/** Texts of scheduled reports about bikeshare stations. */
export const stationTexts: Readonly<Record<Language, StationTexts>> = {
  'en-US': {
    figures: {
      stations: { name: 'Stations', definition: 'Stations that feeds had in the period' },
      empty: {
        name: 'Empty',
        definition: 'Time without an available vehicle while renting, as a share of known time',
      },
      full: {
        name: 'Full',
        definition: 'Time without an available dock while taking vehicles back, as a share of known time',
      },
      runs: {
        name: 'Times beyond the tolerance',
        definition: 'How often a station was empty or full without a break for longer than the tolerance',
      },
      beyond: {
        name: 'Minutes beyond the tolerance',
        definition: 'Minutes by which these periods exceed the tolerance',
      },
      starts: {
        name: 'Starts',
        definition:
          'Trips that start within 50 m of a station; of operators without trips, vehicles that left between two polls',
      },
      coverage: { name: 'Coverage', definition: 'Known time as a share of the window, of all stations' },
    },
    columns: ['Station', 'Operator', 'Empty (min)', 'Full (min)', 'Beyond (min)'],
    chart: 'Time empty and full by day, % of known time',
    empty: 'Empty',
    full: 'Full',
    method: ({ from, until, tolerance, known, timezone }) =>
      `From ${from} to ${until}, ${timezone}; tolerance ${tolerance} minutes. Time is known for ${known} minutes after each poll of a feed; unknown time is never counted as good time.`,
  },
  es: {
    figures: {
      stations: {
        name: 'Estaciones',
        definition: 'Estaciones que figuraban en las fuentes durante el período',
      },
      empty: {
        name: 'Vacías',
        definition: 'Tiempo sin vehículos disponibles mientras se alquila, como parte del tiempo conocido',
      },
      full: {
        name: 'Llenas',
        definition:
          'Tiempo sin anclajes disponibles mientras se admiten devoluciones, como parte del tiempo conocido',
      },
      runs: {
        name: 'Veces por encima de la tolerancia',
        definition: 'Cuántas veces una estación estuvo vacía o llena sin pausa más tiempo que la tolerancia',
      },
      beyond: {
        name: 'Minutos por encima de la tolerancia',
        definition: 'Minutos en que estos períodos exceden la tolerancia',
      },
      starts: {
        name: 'Salidas',
        definition:
          'Viajes que empiezan a menos de 50 m de una estación; en operadores sin viajes, vehículos que salieron entre dos consultas',
      },
      coverage: {
        name: 'Cobertura',
        definition: 'Tiempo conocido como parte de la ventana, de todas las estaciones',
      },
    },
    columns: ['Estación', 'Operador', 'Vacía (min)', 'Llena (min)', 'Exceso (min)'],
    chart: 'Tiempo con estaciones vacías y llenas por día, % del tiempo conocido',
    empty: 'Vacías',
    full: 'Llenas',
    method: ({ from, until, tolerance, known, timezone }) =>
      `De ${from} a ${until}, ${timezone}; tolerancia de ${tolerance} minutos. El tiempo se conoce durante ${known} minutos después de cada consulta de una fuente; el tiempo desconocido nunca cuenta como tiempo con servicio.`,
  },
}
