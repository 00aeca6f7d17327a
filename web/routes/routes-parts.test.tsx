import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { RouteStatistics } from '#contract/routes.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { PublicRouteCard } from './public-routes-map.tsx'
import { RouteCard } from './routes-screen.tsx'
import type { RouteRow } from './route-row.ts'
import { RoutesStatistics } from './routes-statistics.tsx'
import { RoutesTable } from './routes-table.tsx'
import { VolumeLegend } from './volume-legend.tsx'

const row: RouteRow = {
  id: '7',
  street: 'Main Street',
  class: 'arterial',
  lengthM: 1609.344,
  heading: 92,
  forward: 1200,
  backward: 34,
  trips: 1234,
  box: [0, 0, 1, 1],
}
const statistics: RouteStatistics = {
  trips: 2000,
  trips_with_way: 500,
  trips_matched: 400,
  matched_share: 0.8,
  ways_length_m: 16_093.44,
  distance_m: { n: 9, mean: 3218.688, median: 1609.344 },
  duration_s: { n: 9, mean: 900, median: 600 },
  by_hour: Array.from({ length: 24 }, (_, hour) => ({
    hour,
    trips: hour === 8 ? 2000 : 0,
    trips_with_way: hour === 8 ? 500 : 0,
  })),
  busiest: [
    {
      segment_id: '7',
      street: '',
      class: 'local',
      length_m: 9,
      heading: 0,
      trips: 77,
      forward: 70,
      backward: 7,
      cross_streets: ['Oak Street', 'Elm Street'],
    },
    {
      segment_id: '8',
      street: 'Main Street',
      class: 'local',
      length_m: 9,
      heading: 0,
      trips: 5,
      forward: 5,
      backward: 0,
      cross_streets: ['Oak Street'],
    },
  ],
}

describe('a segment under the pointer', () => {
  it('shows its street, its trips and their directions', async () => {
    const { container } = await renderPart(<RouteCard row={row} />)
    expect(container).toHaveTextContent('Main Street1,234 tripsEastbound 1,200 · Westbound 34')
  })
  it('shows that there were no trips', async () => {
    expect((await renderPart(<RouteCard row={undefined} />)).container).toHaveTextContent('No trips')
  })
  it('shows only that it is hidden on the public map', async () => {
    expect((await renderPart(<PublicRouteCard row={undefined} minTrips={10} />)).container).toHaveTextContent(
      'Fewer than 10 trips',
    )
  })
})

it('statistics show how many trips have no route, and link to the busiest segments', async () => {
  const select = vi.fn()
  await renderPart(<RoutesStatistics statistics={statistics} isMetric={false} onSelect={select} />)
  const figures = screen.getByRole('region', { name: 'Statistics' })
  for (const text of [
    'Trips2,000',
    'With a route500 (25%)',
    'Without a route1,500',
    'Matched to streets400 (80%)',
    'Length of all routes10 mi',
    'Trip distance1 mi median, 2 mi mean',
    'Trip duration10 mins median, 15 mins mean',
  ])
    expect(figures).toHaveTextContent(text)
  expect(screen.getByRole('img', { name: /8:00 AM: 2,000, 500 with a route/ })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Main Street near Oak Street' })).toBeInTheDocument()
  await userEvent.click(
    screen.getByRole('button', { name: 'Unnamed street between Oak Street and Elm Street' }),
  )
  expect(select).toHaveBeenCalledWith('7')
})

it('the table has the numbers of the map, and selects segments', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
  const select = vi.fn()
  await renderPart(
    <RoutesTable
      rows={[row]}
      isMetric={false}
      fileName="routes.csv"
      height={400}
      selected={undefined}
      onSelect={select}
    />,
  )
  expect(screen.getAllByRole('cell').map((cell) => cell.textContent?.replace(',', ''))).toEqual([
    'Main Street',
    '1234',
    'Eastbound',
    '1200',
    '34',
    '1',
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Main Street' }))
  expect(select).toHaveBeenCalledWith('7')
})

it('the legend has the bins with their numbers, highest first, and the basis of the numbers', async () => {
  const open = vi.fn()
  await renderPart(
    <VolumeLegend
      title="Trips along streets"
      bins={[
        { from: 1, to: 9, count: 1 },
        { from: 10, to: 44, count: 2 },
      ]}
      colors={['#ffffff', '#000000']}
      notes={['5 of 9 trips']}
      isOpen
      onOpen={open}
    />,
  )
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '10 – 442 segments',
    '1 – 91 segment',
  ])
  expect(screen.getByText('5 of 9 trips')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Hide the legend' }))
  expect(open).toHaveBeenCalledWith(false)
})
