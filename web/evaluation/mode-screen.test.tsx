import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aggregations } from '#contract/map-names.ts'
import { ErrorResponse } from '#web/data/test-server.ts'
import { harbour, mapResponses } from '#web/map-page/test-map.ts'
import { binsShown, lastMap } from '#web/map/test-map-view.tsx'
import { mapModes } from './modes/map-modes.ts'
import { getCells, findLegend, openMap, spatialPath } from './test-mode-screen.tsx'

afterEach(() => vi.unstubAllGlobals())

describe.each(Object.values(mapModes))('the map of $key', (mode) => {
  it('shows its first aggregation, its total and its counts', async () => {
    const { questions } = await openMap(mode.key, '?results=true')
    await userEvent.click(await within(await findLegend()).findByRole('button', { name: /^Total/ }))
    expect(await screen.findByText('42 in areas + 8 outside = 50')).toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    expect(questions()[0]).toMatchObject({
      mode: mode.key,
      aggregation: aggregations[mode.key][0],
      parked_duration: 0,
      shape_filter: null,
    })
    expect(
      screen.getByRole('heading', {
        level: 1,
        name: new RegExp(
          {
            trips: 'Trips',
            parking: 'Parking',
            distribution: 'Vehicle Distribution',
            drop_offs: 'Operator Drop-offs',
          }[mode.key],
        ),
      }),
    ).toBeInTheDocument()
    expect(binsShown(lastMap())).toEqual([1, 0])
    const titles = {
      trips: 'Destinations',
      parking: 'Parked hours',
      distribution: 'Swift',
      drop_offs: 'Drop-offs',
    }
    const counts = {
      trips: ['30', '5', '33'],
      parking: ['30', '1.5'],
      distribution: ['30', '20'],
      drop_offs: ['30'],
    }
    await waitFor(() => expect(getCells('Harbour')).toEqual(['Harbour', '30', ...counts[mode.key]]))
    expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toContain(
      titles[mode.key],
    )
    expect(screen.queryByRole('slider', { name: 'Time' })).not.toBeInTheDocument()
  })
})

describe('targets', () => {
  it.each([
    ['distribution', 'distribution', 'vehicles'],
    ['drop_offs', 'operator_drop_offs', 'drop-offs'],
  ] as const)('targets of published policies are shown beside the values of %s', async (mode, type, unit) => {
    const policy = {
      policy_name: 'Fair share',
      shape_layer_uuid: '6f1b1d1e-0000-4000-8000-000000000001',
      shape_uuids: [harbour],
      minimum: 3,
      maximum: 40,
      allocation: null,
      published: true,
    }
    const { requests } = await openMap(mode, '?results=true', {
      ...mapResponses(),
      'POST /v2/policies/list': () => ({ data: [policy], total: 1, page: 1, size: 300 }),
    })
    await waitFor(() => expect(getCells('Harbour')[2]).toBe(`3 to 40 ${unit} (Fair share)`))
    expect(getCells('Mill')[2]).toBe('n/a')
    expect(requests.find(({ path }) => path === '/v2/policies/list')?.body).toMatchObject({
      types: [type],
      statuses: ['published'],
    })
  })
})

describe('parking', () => {
  it('offers durations in hours up to three days, then in days; none by default', async () => {
    const { questions, search } = await openMap('parking')
    await findLegend()
    await userEvent.click(screen.getByRole('combobox', { name: 'Minimum parking time' }))
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
      'Any length',
      '24 hours',
      '48 hours',
      '72 hours',
      '10 days',
    ])
    await userEvent.click(screen.getByRole('option', { name: '48 hours' }))
    await waitFor(() => expect(search()).toMatchObject({ parked_duration: 2880 }))
    await waitFor(() => expect(questions().at(-1)).toMatchObject({ parked_duration: 2880 }))
  })

  it('shows points instead of values, with a description', async () => {
    await openMap('parking', '?heat=parked')
    expect(await screen.findByText(/The 1 most recent parking events/)).toBeInTheDocument()
    await waitFor(() => expect(lastMap()?.scene.heat?.points).toEqual([{ lon: 1, lat: 1 }]))
    expect(binsShown(lastMap())).toEqual([])
  })

  it('parking does not sum averages', async () => {
    await openMap('parking', '?aggregation=average_parked_duration')
    expect(await within(await findLegend()).findByText('Citywide')).toBeInTheDocument()
    expect(screen.queryByText(/in areas \+/)).not.toBeInTheDocument()
  })
})

describe('the other map', () => {
  it('takes over operators and period, and starts with its own defaults', async () => {
    const { router, search } = await openMap(
      'trips',
      '?days=[1]&heat="origin"&operators=["swift"]&start_date=2026-03-01&end_date=2026-03-31&aggregation=destinations',
    )
    await findLegend()
    await userEvent.click(screen.getByRole('combobox', { name: 'Map' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Parking' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/port-meridian/mobility/maps/parking'))
    expect(search()).toEqual({ operators: ['swift'], start_date: '2026-03-01', end_date: '2026-03-31' })
  })
})

describe('a selected shape', () => {
  it('shows its figures; its buttons filter trips and swap their labels', async () => {
    const trips = await openMap('trips', `?shape=${harbour}`)
    expect(await screen.findByRole('heading', { name: 'Origins' })).toBeInTheDocument()
    expect(trips.questions().map(({ shape_filter }) => shape_filter)).toEqual([null])
    await userEvent.click(screen.getByRole('button', { name: 'Trips to here' }))
    expect(
      await screen.findByRole('heading', { name: 'Origins of trips that end in Harbour' }),
    ).toBeInTheDocument()
    expect(trips.search()).toMatchObject({ shape: harbour, filter_by_shape: true })
    expect(
      trips
        .questions()
        .map(({ shape_filter }) => shape_filter)
        .toSorted(),
    ).toEqual([harbour, null])
    expect(within(screen.getByRole('region', { name: 'Selected area' })).getByText('33')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Trips from here' }))
    expect(
      await screen.findByRole('heading', { name: 'Destinations of trips that start in Harbour' }),
    ).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Trips from here', pressed: true }))
    expect(await screen.findByRole('heading', { name: 'Destinations' })).toBeInTheDocument()
    expect(trips.search()).not.toHaveProperty('filter_by_shape')
  })
  it('a selected shape does not filter if facts have a single place', async () => {
    const { questions } = await openMap('parking', `?shape=${harbour}`)
    expect(await screen.findByRole('heading', { name: 'Parking events' })).toBeInTheDocument()
    expect(questions().map(({ shape_filter }) => shape_filter)).toEqual([null])
  })
  it('links parked vehicles to the live map of vehicles parked there now', async () => {
    await openMap('parking', `?shape=${harbour}&parked_duration=2880`)
    expect(await screen.findByRole('heading', { name: 'Vehicles parked 48 h+' })).toBeInTheDocument()
    const link = screen.getByRole('link', { name: 'Vehicles parked now' })
    expect(link).toHaveAttribute('href', expect.stringMatching(/^\/port-meridian\/mobility\/maps\/live\?/))
    expect(link).toHaveAttribute('href', expect.stringContaining('parked=2880'))
  })
})

describe('without data', () => {
  it('finishes loading if the layer does not exist', async () => {
    await openMap('drop_offs', '', {
      ...mapResponses(),
      [spatialPath]: () => new ErrorResponse(404, 'Layer 5 does not exist', 'not_found'),
    })
    expect(await screen.findByText('No results')).toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
  it('names the filter that excludes all results, and clears it', async () => {
    const responses = mapResponses()
    const response = responses[spatialPath]!
    const { search } = await openMap('trips', '?vehicle_types=["moped"]&days=[1]', {
      ...responses,
      [spatialPath]: (request) => {
        const found = response(request) as { total: number }
        const { vehicle_types: types } = request.body as { vehicle_types: string[] }
        return types.length > 0 ? { ...found, total: 0 } : found
      },
    })
    expect(
      await screen.findByText('There are results without the filter “Vehicle type”.'),
    ).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Clear “Vehicle type”' }))
    await waitFor(() => expect(search()).not.toHaveProperty('vehicle_types'))
    expect(search()).toHaveProperty('days')
    await waitFor(() => expect(screen.queryByText('No results')).not.toBeInTheDocument())
  })
  it('shows a failure, and what does not exist yet', async () => {
    await openMap('drop_offs', '', {
      ...mapResponses(),
      [spatialPath]: () => new ErrorResponse(502, 'The store is away'),
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('The store is away')
  })
  it('shows what does not exist yet', async () => {
    await openMap('distribution', '', mapResponses({}, 0))
    expect(await screen.findByText('No vehicles yet')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Open Data health' })).toHaveAttribute(
      'href',
      '/port-meridian/mobility/data-health',
    )
    // No zeros, because nothing was ever counted.
    expect(screen.queryByRole('region', { name: 'Legend' })).not.toBeInTheDocument()
    expect(binsShown(lastMap())).toEqual([])
  })
})

describe('the keyboard', () => {
  it('opens the table with T, and closes it from inside', async () => {
    const { search } = await openMap('parking')
    await findLegend()
    await userEvent.keyboard('t')
    const table = await screen.findByRole('region', { name: 'Parking events' })
    await waitFor(() => expect(table).toHaveFocus())
    await userEvent.keyboard('t')
    await waitFor(() => expect(search()).not.toHaveProperty('results'))
    expect(screen.getByRole('button', { name: /^Show results/ })).toHaveFocus()
  })
  it('opens the download menu of the table with its hotkey', async () => {
    await openMap('parking')
    await findLegend()
    await userEvent.click(screen.getByRole('button', { name: 'Download' }))
    for (const name of ['Summary (CSV)', 'Summary (XLSX)', 'Daily data (CSV)', 'Daily data (XLSX)'])
      expect(await screen.findByRole('menuitem', { name })).toBeInTheDocument()
  })
})
