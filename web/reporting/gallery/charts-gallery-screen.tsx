import { QueryClientProvider } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ChartPanel } from '#web/charts/chart-panel.tsx'
import type { Chart, ChartUnit } from '#web/charts/chart.ts'
import { createQueryClient } from '#web/data/query.ts'
import { formatInteger, formatNumber } from '#web/kit/format.ts'
import { MetricTile, MetricTilePlaceholder } from '#web/kit/metric-tile.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import styles from '../dashboard.module.css'
import { DashboardScreen } from '../dashboard.tsx'
import { exampleDashboard } from './example-dashboard.tsx'
import { sample } from './sample-data.ts'

const client = createQueryClient()

/** Every kind of chart and tile, and a whole dashboard, for developers and browser tests. */
export function ChartsGalleryScreen() {
  const { t } = useTranslation()
  const tripsUnit = { name: t('reporting:gallery.tripsUnit'), format: formatInteger }
  const kilometersUnit = {
    name: t('reporting:gallery.kilometers'),
    format: (value: number | null) => formatNumber(value),
  }
  const inProgressIndex = sample.days.length - 1
  const axis = { title: t('reporting:gallery.day'), labels: sample.days, inProgressIndex }
  const getSeries = (key: 'trips' | 'before') =>
    sample.operators.map(({ slug, name, color, [key]: values }) => ({ key: slug, name, color, values }))
  const before = { name: t('reporting:gallery.previous'), series: getSeries('before') }
  const charts: { title: string; unit: ChartUnit; chart: Chart }[] = [
    {
      title: t('reporting:gallery.stacked'),
      unit: tripsUnit,
      chart: { kind: 'stacked-bar', axis, series: getSeries('trips'), before },
    },
    {
      title: t('reporting:gallery.bars'),
      unit: tripsUnit,
      chart: { kind: 'bar', axis, series: getSeries('trips'), before },
    },
    {
      title: t('reporting:gallery.distances'),
      unit: tripsUnit,
      chart: {
        kind: 'histogram',
        value: { title: t('reporting:gallery.distance'), unit: kilometersUnit },
        bins: [120, 340, 410, 300, 190, 120, 70, 40, 20, 10].map((count, index) => ({
          from: index / 2,
          to: (index + 1) / 2,
          count,
        })),
        mean: 1.72,
        median: 1.41,
      },
    },
    {
      title: t('reporting:gallery.spread'),
      unit: kilometersUnit,
      chart: {
        kind: 'box',
        axisTitle: t('reporting:gallery.operator'),
        groups: sample.operators.map(({ slug, name, color }, index) => ({
          key: slug,
          name,
          color,
          n: 900 - 300 * index,
          spread: { min: 0.2, lower: 0.8 + index / 4, median: 1.4 + index / 3, upper: 2.2 + index, max: 6 },
        })),
      },
    },
    {
      title: t('reporting:gallery.empty'),
      unit: tripsUnit,
      chart: {
        kind: 'line',
        axis,
        series: [{ key: 'none', name: 'Hop', values: sample.days.map(() => null) }],
      },
    },
  ]
  const metric = { format: formatInteger, definition: t('reporting:gallery.definition') }
  return (
    <main>
      <QueryClientProvider client={client}>
        <DashboardScreen dashboard={exampleDashboard} />
      </QueryClientProvider>
      <ReadingPage>
        <PageHeader title={t('reporting:gallery.title')} context={t('reporting:gallery.context')} />
        <div className={styles['tiles']}>
          <MetricTile
            metric={{
              ...metric,
              label: t('reporting:gallery.vehicles'),
              value: 1204,
              unit: t('reporting:gallery.vehiclesUnit'),
              comparisons: [
                { key: 'previous', name: t('reporting:gallery.previous'), value: 1150 },
                { key: 'year', name: t('reporting:gallery.lastYear'), value: 1420 },
              ],
            }}
          />
          <MetricTile
            metric={{
              ...metric,
              label: t('reporting:gallery.perVehicle'),
              value: null,
              unit: '',
              missingReason: t('reporting:gallery.broken'),
            }}
          />
          <MetricTilePlaceholder />
        </div>
        <div className={styles['charts']}>
          {charts.map(({ title, unit, chart }) => (
            <ChartPanel key={title} title={title} unit={unit} chart={chart} fileName="sample" />
          ))}
        </div>
      </ReadingPage>
    </main>
  )
}
