import type { TFunction } from 'i18next'
import { searchParams, type SearchOf, slugs } from '#web/shell/search-params.ts'
import { Table } from '#web/kit/table/table.tsx'
import { formatInteger } from '#web/kit/format.ts'
import type { Dashboard } from '../dashboard.tsx'
import { sample, type Sample, sampleFor } from './sample-data.ts'

const readSearch = searchParams({ operators: slugs })
type Search = SearchOf<typeof readSearch>

const getTripsUnit = (t: TFunction) => ({ name: t('reporting:gallery.tripsUnit'), format: formatInteger })
const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)
const sumOperators = ({ operators }: Sample, key: 'trips' | 'before'): number =>
  sum(operators.map((operator) => sum(operator[key])))
const toSeries = ({ operators }: Sample, key: 'trips' | 'before') =>
  operators.map(({ slug, name, color, [key]: values }) => ({ key: slug, name, color, values }))

/** An example of a dashboard: two charts, a table, tiles and a filter bar. */
export const exampleDashboard: Dashboard<Search, Sample> = {
  title: (t) => t('reporting:gallery.example'),
  context: (_, t) => t('reporting:gallery.exampleContext'),
  readSearch,
  filters: (t) => [
    {
      kind: 'choices',
      key: 'operators',
      label: t('reporting:gallery.operator'),
      all: t('reporting:gallery.all'),
      options: sample.operators.map(({ slug, name }) => ({ value: slug, text: name })),
    },
  ],
  query: ({ operators = [] }) => ({ queryKey: ['sample', operators], queryFn: () => sampleFor(operators) }),
  tiles: [
    (data, t) => ({
      label: t('reporting:gallery.trips'),
      value: sumOperators(data, 'trips'),
      format: formatInteger,
      unit: '',
      definition: t('reporting:gallery.definition'),
      comparisons: [
        { key: 'before', name: t('reporting:gallery.previous'), value: sumOperators(data, 'before') },
      ],
      history: data.totals,
    }),
  ],
  charts: [
    (data, t) => ({
      title: t('reporting:gallery.tripsByDay'),
      unit: getTripsUnit(t),
      fileName: 'trips-by-day',
      chart: {
        kind: 'line',
        axis: { title: t('reporting:gallery.day'), labels: data.days, inProgressIndex: data.days.length - 1 },
        series: toSeries(data, 'trips'),
        before: { name: t('reporting:gallery.previous'), series: toSeries(data, 'before') },
      },
    }),
    (data, t) => ({
      title: t('reporting:gallery.tripsByHour'),
      unit: getTripsUnit(t),
      fileName: 'trips-by-hour',
      chart: { kind: 'heat-calendar', values: data.week },
    }),
  ],
  table: (data, t) => (
    <Table
      label={t('reporting:gallery.example')}
      rows={data.operators}
      rowKey={({ slug }) => slug}
      fileName="trips"
      columns={[
        { key: 'operator', title: t('reporting:gallery.operator'), value: ({ name }) => name },
        { key: 'trips', title: t('reporting:gallery.trips'), value: (row) => sum(row.trips), isNumber: true },
      ]}
    />
  ),
}
