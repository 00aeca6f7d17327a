import { QueryClientProvider } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ChartEngine } from '#web/charts/chart-drawing.tsx'
import type { DrawnChart } from '#web/charts/echarts-engine.ts'
import { createQueryClient } from '#web/data/query.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { DashboardScreen } from './dashboard.tsx'
import { exampleDashboard } from './gallery/example-dashboard.tsx'

// jsdom has no canvas.
const drawn = { show: vi.fn<DrawnChart['show']>(), point: vi.fn<DrawnChart['point']>(), remove: vi.fn() }
const engine = Promise.resolve({
  drawChart: (): DrawnChart => ({ ...drawn, canvas: () => document.createElement('canvas') }),
})
const loadEngine = () => engine

const client = createQueryClient()
const screens: ScreenEntry[] = [
  {
    path: '/dashboard',
    title: 'shell:pages.home',
    permission: 'public',
    Screen: () => (
      <ChartEngine value={loadEngine}>
        <QueryClientProvider client={client}>
          <DashboardScreen dashboard={exampleDashboard} />
        </QueryClientProvider>
      </ChartEngine>
    ),
  },
]
const getChart = () => screen.getByRole('figure', { name: 'Trips by day' })

beforeEach(() => vi.clearAllMocks())

it('shows the declared filters, tiles, charts and table', async () => {
  await renderApp(screens, '/dashboard')
  const title = await screen.findByRole('heading', { level: 1, name: 'Trips of two operators' })
  // It has the space beside the actions from the start, so that a long subtitle does not move them.
  expect(title.parentElement).toHaveStyle({ flex: '1 1 224px' })
  expect(
    within(screen.getByRole('search', { name: 'Filters' })).getByPlaceholderText('All operators'),
  ).toBeVisible()
  expect(await screen.findByText('27,159')).toBeVisible()
  expect(screen.getAllByRole('figure')).toHaveLength(2)
  expect(screen.getByRole('table', { name: 'Trips of two operators' })).toBeVisible()
  await waitFor(() => expect(drawn.show).toHaveBeenCalledTimes(2))
})

it('a dashboard has its filters in the URL', async () => {
  const router = await renderApp(screens, '/dashboard?operators=%5B"hop"%5D')
  const bar = within(await screen.findByRole('search', { name: 'Filters' }))
  expect((await bar.findAllByText('Hop')).length).toBeGreaterThan(0)
  const table = within(await screen.findByRole('table', { name: 'Trips of two operators' }))
  expect(table.queryByText('Glide')).toBeNull()
  await userEvent.click(bar.getByRole('combobox', { name: 'Operator' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Glide' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ operators: ['glide', 'hop'] }))
})

it('lets the keyboard read a chart value by value', async () => {
  await renderApp(screens, '/dashboard')
  await waitFor(() => expect(drawn.show).toHaveBeenCalledTimes(2))
  const values = within(getChart()).getByRole('slider', { name: 'Values of Trips by day, one by one' })
  values.focus()
  await userEvent.keyboard('{End}{ArrowLeft}')
  expect(values).toHaveAttribute(
    'aria-valuetext',
    expect.stringMatching(/^Nov 23, Glide: [\d,]+, Hop: \d+, Glide · the period before: \d+/),
  )
  expect(drawn.point).toHaveBeenLastCalledWith(22)
  await userEvent.keyboard('{Escape}')
  expect(drawn.point).toHaveBeenLastCalledWith(null)
})

it('shows the comparison in drawing, legend and table', async () => {
  await renderApp(screens, '/dashboard')
  await waitFor(() => expect(drawn.show).toHaveBeenCalledTimes(2))
  expect(within(getChart()).getByRole('list', { name: 'Legend of Trips by day' })).toHaveTextContent(
    'GlideHopGlide · the period beforeHop · the period before',
  )
  await userEvent.click(within(getChart()).getByRole('button', { name: 'Show Trips by day as a table' }))
  const table = within(getChart()).getByRole('table', { name: 'Trips by day' })
  expect(within(table).getByRole('columnheader', { name: /Glide · the period before/ })).toBeVisible()
  expect(table).toHaveAttribute('aria-rowcount', '25')
})
