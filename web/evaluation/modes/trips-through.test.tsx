import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { notInShape } from '#contract/evaluation.ts'
import type { SpatialRequest, SpatialResult } from '#contract/spatial.ts'
import { ErrorResponse } from '#web/data/test-server.ts'
import { harbour, mapResponses, mill } from '#web/map-page/test-map.ts'
import { getCells, findLegend, openMap, spatialPath } from '../test-mode-screen.tsx'

afterEach(() => vi.unstubAllGlobals())

const figures = (with_way: number, without_way: number) => ({
  value: with_way + without_way,
  n: with_way + without_way,
  counts: { with_way, without_way },
})
/** A layer with routes: 50 trips, ten of them without a route. */
const makeResponses = () => {
  const all = mapResponses({ intersect_route: true })
  return {
    ...all,
    [spatialPath]: (request: { body: unknown; query: URLSearchParams }): unknown =>
      (request.body as SpatialRequest).aggregation !== 'intersect'
        ? all[spatialPath]?.(request as never)
        : ({
            shape_data: { [harbour!]: figures(30, 4), [mill!]: figures(20, 3), [notInShape]: figures(2, 6) },
            total: 50,
            mode: 'trips',
            aggregation: 'intersect',
            unit: 'trips',
            days: 31,
            adds_up: 'more',
            ways: { trips_with_way: 40, trips_without_way: 10 },
            method: { name: 'intersect', version: 1, buffer: 0 },
            milliseconds: 3,
            from: 'facts',
          } satisfies SpatialResult),
  }
}

describe('trips through shapes', () => {
  it('trips through shapes are offered if the layer has routes, with the number of known routes', async () => {
    const { questions } = await openMap('trips', '?results=true', makeResponses())
    await findLegend()
    await userEvent.click(screen.getByRole('combobox', { name: 'Show' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Intersect' }))
    await waitFor(() => expect(questions().at(-1)).toMatchObject({ aggregation: 'intersect' }))
    const legend = within(await findLegend())
    expect(
      await legend.findByText(
        'On these dates 10 of 50 trips have no known route. They count where they start and end.',
      ),
    ).toBeInTheDocument()
    expect(
      legend.getByText(/^57 in areas \+ 8 outside\. A trip counts in every area it passes through/),
    ).toBeInTheDocument()
    await waitFor(() => expect(getCells('Harbour')).toEqual(['Harbour', '34', '30', '4']))
    expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual(
      expect.arrayContaining(['With a known route', 'Without a known route']),
    )
  })

  it('trips through shapes appear once they are prepared, with progress until then', async () => {
    const known = makeResponses()
    let isReady = false
    const { questions } = await openMap('trips', '?aggregation=intersect', {
      ...known,
      [spatialPath]: (request) =>
        isReady
          ? known[spatialPath](request)
          : new ErrorResponse(503, '3 of 9 days are done.', 'being_prepared'),
    })
    expect(await screen.findByText('3 of 9 days are done.')).toBeInTheDocument()
    expect(screen.queryByRole('alert')).toBeNull()
    isReady = true
    expect(await screen.findByText(/have no known route/)).toBeInTheDocument()
    expect(screen.queryByText('3 of 9 days are done.')).toBeNull()
    expect(questions().length).toBeGreaterThan(1)
  })

  it('trips through shapes explain the delay while the areas of a buffer are computed', async () => {
    const known = makeResponses()
    let respond: () => void = () => undefined
    const isReady = new Promise<void>((resolve) => (respond = resolve))
    await openMap('trips', '?buffer=50', {
      ...known,
      [spatialPath]: (request) => isReady.then(() => known[spatialPath](request)),
    })
    expect(
      await screen.findByText(
        'Finding the areas within 165 ft of each boundary. This takes a few seconds the first time.',
        {},
        { timeout: 10_000 },
      ),
    ).toBeInTheDocument()
    respond()
    await findLegend()
    await waitFor(() => expect(screen.queryByText(/^Finding the areas/)).toBeNull())
  })

  it('trips through shapes are not offered for another layer', async () => {
    await openMap('trips', '', mapResponses())
    await findLegend()
    await userEvent.click(screen.getByRole('combobox', { name: 'Show' }))
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).not.toContain(
      'Intersect',
    )
  })

  it('trips through shapes can be filtered by the selected shape, which shows its own numbers', async () => {
    const { questions } = await openMap(
      'trips',
      `?aggregation=intersect&shape=${harbour}&filter_by_shape=true`,
      makeResponses(),
    )
    expect(
      await within(await findLegend()).findByText('Trips that pass through both this area and Harbour'),
    ).toBeInTheDocument()
    expect(questions().map(({ shape_filter }) => shape_filter)).toEqual(
      expect.arrayContaining([harbour, null]),
    )
    const card = within(screen.getByRole('region', { name: 'Selected area' }))
    await waitFor(() =>
      expect(card.getAllByRole('definition').map((definition) => definition.textContent)).toEqual([
        '30',
        '4',
      ]),
    )
    expect(card.getAllByRole('term').map((term) => term.textContent)).toEqual([
      'With a known route',
      'Without a known route',
    ])
  })
})
