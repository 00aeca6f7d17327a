import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ErrorResponse } from '#web/data/test-server.ts'
import { harbour } from '#web/map-page/test-map.ts'
import { lastMap } from '#web/map/test-map-view.tsx'
import { issueResponses, testPoints } from './test-issues.ts'
import { findLegend, openIssues } from './test-issues-map.tsx'

afterEach(() => vi.unstubAllGlobals())

const readRows = async () =>
  within(await findLegend())
    .getAllByRole('listitem')
    .map((option) => option.textContent)

describe('points', () => {
  it('points are counted by status and by type in the legend, including those that are not on the map', async () => {
    const { search } = await openIssues('?start_date=2026-03-01&end_date=2026-03-31')
    expect(within(await findLegend()).getByRole('heading', { name: '4 issues' })).toBeInTheDocument()
    expect(await readRows()).toEqual(['Open2', 'Closed2', 'Issues at one location, with their number'])
    expect(screen.getByText('1 has no known location and is in the table only.')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('combobox', { name: 'Color by' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Type' }))
    await waitFor(() => expect(search()).toMatchObject({ color: 'type' }))
    expect((await readRows()).slice(0, 2)).toEqual(['Scooter in the way3', 'pothole1'])
  })

  it('points show a note if the response does not contain all of them', async () => {
    await openIssues('', {
      ...issueResponses(),
      'GET /v2/regions/port-meridian/issues/points': () => ({
        ...testPoints,
        total: 400_000,
        placed: 390_000,
      }),
    })
    expect(
      await screen.findByText(
        'The map shows the newest 3 of 390,000 locations. The table and the file have all of them.',
      ),
    ).toBeInTheDocument()
  })

  it('points are filtered by type, status and resolution time; each filter returns to the first page', async () => {
    const { requests, search } = await openIssues(
      '?page=3&status=open&start_date=2026-03-01&end_date=2026-03-31',
    )
    await findLegend()
    await userEvent.click(screen.getByRole('combobox', { name: 'Types' }))
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
      'Scooter in the way1',
      'pothole1',
    ])
    await userEvent.click(screen.getByRole('option', { name: /^pothole/ }))
    await waitFor(() =>
      expect(search()).toEqual({
        types: ['pothole'],
        status: 'open',
        start_date: '2026-03-01',
        end_date: '2026-03-31',
      }),
    )
    await waitFor(() =>
      expect(requests('/points').at(-1)).toEqual({
        service_code: 'pothole',
        status: 'open',
        start_date: '2026-03-01',
        end_date: '2026-03-31',
      }),
    )
    expect(screen.getByRole('combobox', { name: 'Status' })).toHaveValue('Open (1)')
    await userEvent.click(screen.getByRole('combobox', { name: 'Resolution time' }))
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
      'Any',
      'Within 1 day',
      '1 day to 3 days',
      '3 days to 7 days',
      'More than 7 days',
    ])
    await userEvent.click(screen.getByRole('option', { name: '1 day to 3 days' }))
    // Open issues have no resolution time.
    await waitFor(() =>
      expect(search()).toEqual({
        types: ['pothole'],
        resolution_time: '24-72',
        start_date: '2026-03-01',
        end_date: '2026-03-31',
      }),
    )
    expect(requests('/types').at(-1)).toEqual({
      resolution_time: '24-72',
      start_date: '2026-03-01',
      end_date: '2026-03-31',
    })
  })
})

describe('a selected issue', () => {
  it('shows all details in the time zone of the region, from a link alone', async () => {
    await openIssues('?issue=files:SR-1')
    const card = await screen.findByRole('region', { name: 'Selected issue' })
    expect(await within(card).findByRole('heading', { name: 'Scooter in the way' })).toBeInTheDocument()
    for (const text of [
      'Closed· Resolved',
      'No. SR-1',
      'On the ramp.',
      'RequestedMar 1, 2026, 10:30 PM',
      'Resolution time1 day 6 hrs',
      'Address1 Main St',
      'Council district6',
      'SourceFile',
      'ReceivedMar 1, 2026, 10:30 PM',
      'ResolvedMar 3, 2026, 4:30 AM',
    ])
      expect(card.textContent?.replaceAll(' ', ' ')).toContain(text)
    expect(lastMap()!.findShape('files:SR-1')).toEqual([-75, 37, -75, 37])
    expect(lastMap()!.fleet!.read()?.selected).toEqual({ lon: -75, lat: 37 })
  })

  it('links to the other issues at its place', async () => {
    const { search } = await openIssues('?issue=files:SR-1')
    expect(await screen.findByText('1 of 2 at this location')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Next issue at this location' }))
    await waitFor(() => expect(search()).toMatchObject({ issue: 'files:SR/2' }))
    expect(await screen.findByText('2 of 2 at this location')).toBeInTheDocument()
  })

  it('a selected issue is selected on the map and deselected with Escape', async () => {
    const { search } = await openIssues()
    await findLegend()
    act(() => lastMap()!.onSelect('files:SR%2F2'))
    await waitFor(() => expect(search()).toEqual({ issue: 'files:SR/2' }))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(search()).toEqual({}))
  })

  it('shows an error if it does not exist', async () => {
    await openIssues('?issue=SR-9', {
      ...issueResponses(),
      'GET /v2/regions/port-meridian/issues/SR-9': () =>
        new ErrorResponse(404, 'There is no such issue in this region.'),
    })
    expect(await screen.findByText('There is no such issue in this region.')).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'No. SR-9' })).toBeInTheDocument()
  })
})

describe('the table', () => {
  it('the table is sorted and paged by the server, and opens issues', async () => {
    const { requests, search } = await openIssues('?results=true&start_date=2026-03-01&end_date=2026-03-31')
    expect(await screen.findByRole('button', { name: 'SR-1' })).toBeInTheDocument()
    expect(screen.getByText('124 issues')).toBeInTheDocument()
    expect(screen.getByText('1–50 of 124')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(requests('').at(-1)).toMatchObject({ page: '2', size: '50' }))
    await userEvent.click(
      within(await screen.findByRole('columnheader', { name: /Resolution time/ })).getByRole('button'),
    )
    await waitFor(() => expect(search()).toMatchObject({ sort: 'resolution_time' }))
    expect(search()).not.toHaveProperty('page')
    await waitFor(() => expect(requests('').at(-1)).toMatchObject({ order_by: 'resolution_time', page: '1' }))
    await userEvent.click(await screen.findByRole('button', { name: 'SR/2' }))
    await waitFor(() => expect(search()).toMatchObject({ issue: 'files:SR/2', results: true }))
  })
})

describe('by shape', () => {
  it('the map by shape has the same numbers in the colors, the legend and the table', async () => {
    const { requests } = await openIssues(
      '?show=shapes&results=true&start_date=2026-03-01&end_date=2026-03-31',
    )
    await userEvent.click(await within(await findLegend()).findByRole('button', { name: /^Total/ }))
    expect(await screen.findByText('3 in areas + 1 outside = 4')).toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    await waitFor(() =>
      expect([...(lastMap()!.scene.layers[0]?.states.values() ?? [])].map(({ bin }) => bin)).toEqual([1, 0]),
    )
    expect(lastMap()!.fleet!.read()).toBeNull()
    expect(requests('/by_shape').at(-1)).toMatchObject({
      start_date: '2026-03-01',
      shape_layer_uuid: expect.any(String) as string,
    })
    expect(
      screen
        .getAllByRole('row')
        .slice(1)
        .map((row) =>
          within(row)
            .getAllByRole('cell')
            .map((cell) => cell.textContent),
        ),
    ).toEqual([
      ['Harbour', '2', '1', '1', '30', '30', '1'],
      ['Mill', '1', '1', '0', 'n/a', 'n/a', '0'],
      ['Outside all districts', '1', '0', '1', '4', '4', '1'],
      expect.arrayContaining(['Total', '4']) as string[],
    ])
    expect(requests('/points')).toEqual([])
  })

  it('shows times of the entire region without a sum; a selected shape shows its own', async () => {
    await openIssues(`?show=shapes&measure=median&shape=${harbour}`)
    expect(await within(await findLegend()).findByText('Citywide')).toBeInTheDocument()
    expect(screen.queryByText(/in areas \+/)).not.toBeInTheDocument()
    expect((await screen.findByRole('region', { name: 'Selected area' })).textContent).toContain(
      'Median resolution time1 day 6 hrs',
    )
  })

  it('finishes loading without data if the layer does not exist', async () => {
    await openIssues('?show=shapes', {
      ...issueResponses(),
      'GET /v2/regions/port-meridian/issues/by_shape': () =>
        new ErrorResponse(404, 'There is no such layer in this region.'),
    })
    expect(await screen.findByText('No results')).toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
})

describe('without issues', () => {
  it('links administrators to the settings of feeds', async () => {
    await openIssues('', issueResponses([]))
    expect(await screen.findByText('No 311 issues yet')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Open Operators and feeds' })).toHaveAttribute(
      'href',
      '/admin/operators',
    )
    expect(screen.getByRole('link', { name: 'Open Files' })).toHaveAttribute(
      'href',
      '/port-meridian/mobility/trip-files',
    )
  })

  it('names a contact for other users', async () => {
    await openIssues('', issueResponses([]), [])
    expect(await screen.findByText(/An administrator can add them/)).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: /Open/ })).not.toBeInTheDocument()
  })

  const noPoints = {
    'GET /v2/regions/port-meridian/issues/points': () => ({
      ...testPoints,
      total: 0,
      placed: 0,
      types: [],
      id: [],
    }),
  }
  it('with these filters, shows the days that have some', async () => {
    const { search } = await openIssues('', { ...issueResponses(), ...noPoints })
    await userEvent.click(await screen.findByRole('button', { name: 'Show all dates' }))
    await waitFor(() => expect(search()).toEqual({ start_date: '2025-02-01', end_date: '2026-03-31' }))
  })

  it('with these filters, names the filter that excludes all of them', async () => {
    const { search } = await openIssues('?types=["none"]', { ...issueResponses(), ...noPoints })
    await userEvent.click(await screen.findByRole('button', { name: 'Clear “Types”' }))
    await waitFor(() => expect(search()).toEqual({}))
  })

  it('shows the error if the server failed', async () => {
    await openIssues('', {
      ...issueResponses(),
      'GET /v2/regions/port-meridian/issues/points': () => new ErrorResponse(502, 'The store is away'),
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('The store is away')
  })
})
