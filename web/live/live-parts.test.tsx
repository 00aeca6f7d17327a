import { QueryClientProvider } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hourMs } from '#contract/period.ts'
import type { VehicleDay } from '#contract/vehicles.ts'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import { createQueryClient } from '#web/data/query.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { FleetColumns } from './fleet-columns.ts'
import { FleetHoverCard } from './fleet-hover-card.tsx'
import { LiveLegend } from './live-map-screen.tsx'
import { LivePanel } from './live-panel.tsx'
import { toFilters, type LiveSearch } from './live-search.ts'
import { LiveStatus } from './live-status.tsx'
import { LiveTable } from './live-table.tsx'
import { filterVehicles } from './filter-vehicles.ts'
import { liveVehicles, testTime } from './test-fleet.ts'
import { VehicleCard } from './vehicle-card.tsx'
import { getVehicleFacts } from './vehicle-facts.ts'

const timezone = 'America/New_York'
const operators = [
  { slug: 'swift', name: 'Swift Wheels', colorHex: '#112233' },
  { slug: 'tern', name: 'Tern', colorHex: '#445566' },
]
const colors = new Map([
  ['swift', '#112233'],
  ['tern', '#445566'],
  ['new-one', '#778899'],
])
const columns = new FleetColumns()
columns.load(
  liveVehicles([
    { handle: 0, operator: 'swift', id: 'SW-1', battery: 8 },
    { handle: 1, operator: 'swift', id: 'SW-2', state: 'on_trip' },
    { handle: 2, operator: 'tern', type: 'bicycle', id: 'T-1', state: 'non_operational', battery: null },
    { handle: 3, operator: 'new-one', id: 'X-1', state: 'lost', lon: null, lat: null },
  ]),
)
const shownBy = (search: LiveSearch) => filterVehicles(columns, toFilters(search), testTime)

describe('the panel', () => {
  const renderPanel = async (search: LiveSearch = {}) => {
    const change = vi.fn()
    await renderPart(
      <LivePanel
        search={search}
        change={change}
        shown={shownBy(search)}
        operators={operators}
        colors={colors}
        lostAfterHours={48}
      />,
    )
    return change
  }

  it('counts by operator and by state; unknown counts are shown as unknown', async () => {
    await renderPanel()
    const group = screen.getByRole('group', { name: 'Operators' })
    expect(
      within(group)
        .getAllByRole('checkbox')
        .map((element) => element.closest('div')?.parentElement?.textContent),
    ).toEqual(['Swift Wheels2', 'Tern1', 'Unknown Operator0'])
    expect(screen.getByRole('checkbox', { name: /^Lost \(no signal 48 h\+\)/ })).not.toBeChecked()
    expect(screen.getByRole('checkbox', { name: /^Available/ })).toBeChecked()
    expect(screen.queryByRole('checkbox', { name: /^Removed/ })).toBeNull()
  })

  it('deselects one of all; selecting it again means all', async () => {
    const change = await renderPanel()
    await userEvent.click(screen.getByRole('checkbox', { name: /^Tern/ }))
    expect(change).toHaveBeenLastCalledWith({ operators: ['swift', 'new-one'] })
  })

  it('selects all when the last one is deselected; "none" selects none', async () => {
    const change = await renderPanel({ operators: ['swift', 'new-one'] })
    await userEvent.click(screen.getByRole('checkbox', { name: /^Tern/ }))
    expect(change).toHaveBeenLastCalledWith({ operators: undefined })
    await userEvent.click(screen.getByRole('button', { name: 'Operators: None' }))
    expect(change).toHaveBeenLastCalledWith({ operators: [] })
  })

  it('the panel has the parked time few Tabs from its start, before the checkboxes', async () => {
    await renderPanel()
    for (let tab = 0; tab < 3; tab++) await userEvent.tab()
    expect(screen.getByRole('button', { name: 'Parked time, signal and battery' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await userEvent.tab()
    expect(screen.getByRole('combobox', { name: 'Parked for at least' })).toHaveFocus()
  })

  it('the panel has rarely used filters, and the table of counts, in collapsed sections', async () => {
    const change = await renderPanel({ parked: 2880 })
    // Expanded because one of its fields is set.
    await userEvent.click(screen.getByRole('combobox', { name: 'Parked for at least' }))
    await userEvent.click(await screen.findByRole('option', { name: '72 hours' }))
    expect(change).toHaveBeenLastCalledWith({ parked: 4320 })
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('toggles a group of states at once', async () => {
    const change = await renderPanel()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Operational' }))
    expect(change).toHaveBeenLastCalledWith({ states: ['non_operational', 'stopped', 'non_contactable'] })
    await userEvent.click(screen.getByRole('button', { name: 'State: All' }))
    expect(change.mock.lastCall?.[0].states).toContain('lost')
  })
})

describe('the status', () => {
  const state = { kind: 'live' as const, changed: testTime, error: null }
  it('shows since when nothing has changed, in the time zone of the region', async () => {
    await renderPart(<LiveStatus state={state} shown={shownBy({})} total={4} timezone={timezone} />)
    expect(screen.getByText('Last change 1:00:00 PM')).toBeInTheDocument()
    expect(screen.getByText('3 of 4 shown')).toHaveAttribute('data-shown', '3')
  })
  it('shows that the stream is interrupted, and the age of the data', async () => {
    await renderPart(
      <LiveStatus
        state={{ ...state, kind: 'interrupted' }}
        shown={shownBy({ states: ['lost'] })}
        total={4}
        timezone={timezone}
      />,
    )
    expect(screen.getByRole('status')).toHaveTextContent(
      'Live updates are interrupted. Showing data as of 1:00:00 PM. Trying again.',
    )
    expect(screen.getByText('1 without a location, in the table only')).toBeInTheDocument()
  })
})

it('the legend lists only what is on the map', async () => {
  const search: LiveSearch = { color: 'state' }
  await renderPart(
    <LiveLegend
      by="state"
      filters={toFilters(search)}
      shown={shownBy(search)}
      operators={operators}
      colors={colors}
      hasStations
      isClustered={false}
      isOpen
      onOpen={() => {}}
    />,
  )
  expect(screen.getAllByRole('listitem').map((element) => element.textContent)).toEqual([
    'Available',
    'Non-operational',
    'On trip',
    'Station with its vehicles',
  ])
})

it('the table lists the vehicles on the map, and selects them', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
  const select = vi.fn()
  await renderPart(
    <LiveTable
      columns={columns}
      handles={shownBy({}).handles}
      operators={operators}
      timezone={timezone}
      at={testTime}
      fileName="v.csv"
      height={600}
      selected="swift:SW-2"
      onSelect={select}
    />,
  )
  const table = screen.getByRole('table', { name: 'Vehicles shown' })
  expect(table).toHaveAttribute('aria-rowcount', '4')
  expect(
    within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual([
    expect.stringContaining('SW-1Swift WheelsScooterAvailable8'),
    expect.stringContaining('SW-2Swift WheelsScooterOn trip50'),
    expect.stringContaining('T-1TernElectric BikeNon-operationaln/a'),
  ])
  expect(screen.getByRole('button', { name: 'SW-2' })).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(screen.getByRole('button', { name: 'T-1' }))
  expect(select).toHaveBeenCalledWith('tern:T-1')
})

it('the hover card describes vehicles, clusters and stations', async () => {
  const station = {
    operator: 'tern',
    station_id: 's',
    name: 'Green',
    lon: 0,
    lat: 0,
    capacity: 9,
    vehicles_available: 4,
    docks_available: 5,
    is_renting: true,
    seen: 0,
  }
  const makeCard = (id: string) => (
    <FleetHoverCard
      id={id}
      facts={getVehicleFacts(columns, id)}
      stations={[station]}
      operators={operators}
      timezone={timezone}
    />
  )
  await renderPart(
    <>
      {makeCard('swift:SW-1')}
      {makeCard('cluster/1234')}
      {makeCard('station/0')}
      {makeCard('stations/3/12')}
      {makeCard('swift:gone')}
    </>,
  )
  expect(screen.getByText('Swift Wheels · Available · 8%')).toBeInTheDocument()
  expect(screen.getByText('1,234 vehicles')).toBeInTheDocument()
  expect(screen.getByText('3 stations')).toBeInTheDocument()
  expect(screen.getByText('4 vehicles, 5 free docks')).toBeInTheDocument()
})

describe('the card of a vehicle', () => {
  afterEach(() => vi.unstubAllGlobals())
  const day: VehicleDay = {
    operator: 'swift',
    vehicle_id: 'SW-1',
    device_id: '00000001-0000-4000-8000-000000000000',
    vehicle_type: 'scooter',
    source: 'events',
    state: 'available',
    since: testTime - 60_000,
    seen: testTime,
    lon: -75,
    lat: 37,
    battery: 8,
    propulsion_types: [],
    day: '2026-03-08',
    day_start: testTime - 12 * hourMs,
    intervals: [
      {
        state: 'on_trip',
        from: testTime - 2 * hourMs,
        to: testTime - hourMs,
        event_types: ['trip_start'],
        lon: null,
        lat: null,
        battery: null,
      },
      {
        state: 'available',
        from: testTime - hourMs,
        to: null,
        event_types: ['trip_end'],
        lon: null,
        lat: null,
        battery: null,
      },
    ],
    events: [],
    trips: [
      {
        trip_id: '00000002-0000-4000-8000-000000000000',
        start: testTime - 2 * hourMs,
        end: testTime - hourMs,
        distance_m: 3218.688,
        duration_s: 3600,
      },
    ],
  }
  const renderCard = async (respond: () => unknown, facts = getVehicleFacts(columns, 'swift:SW-1')) => {
    fakeServer({ 'GET /v2/regions/alder/vehicles/swift%3ASW-1': respond })
    const clear = vi.fn()
    await renderPart(
      <QueryClientProvider client={createQueryClient()}>
        <VehicleCard
          regionId="alder"
          timezone={timezone}
          isMetric={false}
          id="swift:SW-1"
          facts={facts}
          operators={operators}
          at={testTime}
          onClear={clear}
        />
      </QueryClientProvider>,
    )
    return clear
  }

  it('shows the state of the vehicle, and its day in local time', async () => {
    const clear = await renderCard(() => day)
    expect(screen.getByText('Swift Wheels · Available')).toBeInTheDocument()
    expect(screen.getByText('37.00000, -75.00000')).toBeInTheDocument()
    expect((await screen.findByRole('list', { name: /States of today/ })).textContent).toBe(
      'Available12:00 PM – nowOn trip11:00 AM – 12:00 PM',
    )
    expect(screen.getByText('11:00 AM to 12:00 PM')).toBeInTheDocument()
    expect(screen.getByText('1.0 hrs · 2 mi')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Clear the selection' }))
    expect(clear).toHaveBeenCalled()
  })

  it('shows that a vehicle is gone, and that vehicles of GBFS have no history', async () => {
    await renderCard(() => new ErrorResponse(404, 'There is no vehicle.'), null)
    expect(await screen.findByText('This vehicle is no longer on the live map.')).toBeInTheDocument()
    await renderCard(() => ({ ...day, source: 'gbfs', intervals: [], trips: [] }))
    await waitFor(() => expect(screen.getByText(/GBFS vehicles have no history/)).toBeInTheDocument())
  })
})
